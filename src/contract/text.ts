const invisible = /[\s\u200b-\u200d\u2060\ufeff]/gu
// Control characters other than tab and line feed, the line separators included: they break logs, mail headers and JSON-LD.
// The last two are no characters: a drawing that says one is no XML.
// oxlint-disable-next-line no-control-regex -- naming control characters is this pattern's purpose
const forbidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/u

// No script stacks more on one letter, and what orders a run of marks takes its length squared (Unicode's stream-safe format).
const stacked = /\p{M}{31}/u

/** How many characters a person counts: code points, so an emoji is one. */
export function lengthOf(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** The text as it is stored: Unicode NFC, line breaks as `\n`, no white space around it. What cannot be stored stays as it is. */
export function cleanText(text: string): string {
  return composed(text.replace(/\r\n?/g, '\n')).trim()
}

/** The text in Unicode NFC, in time proportional to its length: one with endless runs of marks stays as it is. */
export function composed(text: string): string {
  return stacked.test(text) ? text : text.normalize('NFC')
}

/** Whether nothing would be seen of the text: only white space and invisible characters. */
export function isBlank(text: string): boolean {
  return text.replace(invisible, '') === ''
}

/** Whether both databases and every reader can hold the text: well-formed Unicode without control characters or endless runs of marks. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !forbidden.test(text) && !stacked.test(text)
}

/** The text with its `{name}` places filled from `values`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** The language of the site, which its dates, numbers and lists are written in. */
export const locale = 'es'
