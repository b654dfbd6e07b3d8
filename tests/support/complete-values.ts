import type { FieldValues, Field } from '#contract/fields.ts'
import type { Section } from '#contract/sections/section.ts'

/** A value for every field of a section, short enough for its limits; fields that matter to a test are named. */
export function completeValues(section: Section, fields: FieldValues = {}): FieldValues {
  const own: Record<string, string> = {}
  for (const [name, field] of Object.entries(section.fields)) own[name] = valueFor(name, field)
  return { ...own, ...fields }
}

function valueFor(name: string, { kind }: Field): string {
  if (kind === 'url') return `https://example.com/${name}`
  if (kind === 'image') return `/media/${name}.640x480.webp`
  if (kind === 'email') return 'ana@example.com'
  return `Texto ${name}`
}
