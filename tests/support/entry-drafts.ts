import type { Draft, Field, Fields } from '#contract/fields.ts'
import type { Section } from '#contract/sections/section.ts'

/** A complete draft of a section; fields that matter to a test are named. */
export function draftFor(section: Section, fields: Draft = {}): Draft {
  return { ...filled(section.fields), ...fields }
}

/** A value for every field of a form, short enough for its limit. */
export function filled(fields: Fields): Draft {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, valueFor(name, field)]),
  )
}

function valueFor(name: string, { kind }: Field): string {
  if (kind === 'url') return `https://example.com/${name}`
  if (kind === 'image') return `/media/${name}.640x480.webp`
  if (kind === 'email') return 'ana@example.com'
  return `Texto ${name}`
}
