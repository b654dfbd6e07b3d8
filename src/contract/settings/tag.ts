/**
 * The entity tag of one setting: its value. Whoever changes it names the value it was chosen in place of, so that a change
 * made elsewhere meanwhile is noticed, and one of another setting is none.
 */
export function settingTag(value: string): string {
  return `"${encodeURIComponent(value)}"`
}
