import { cleanText, locale } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import type { Entry, Section } from '#contract/sections/section.ts'

/** A gentle word when another entry already has this name; the empty string otherwise. Equal names are allowed. */
export function duplicateNote(
  section: Section,
  entries: readonly Entry[],
  { id, name }: { readonly id: string; readonly name: string },
): string {
  const { title } = section.display
  const wanted = plain(name)
  const isTaken = entries.some(
    (entry) => entry.id !== id && plain(entry.fields[title] ?? '') === wanted,
  )
  return wanted !== '' && isTaken ? ownerTexts.duplicate : ''
}

function plain(text: string): string {
  return cleanText(text).toLocaleLowerCase(locale)
}
