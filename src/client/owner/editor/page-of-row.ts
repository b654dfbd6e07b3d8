import { entriesPerPage } from '#contract/entries/list-pages.ts'
import type { Section } from '#contract/sections/section.ts'

/** Counted from 1; the index is that of the whole list. */
export function pageOfRow({ order }: Pick<Section, 'order'>, index: number, count: number): number {
  const before = order === 'newest-first' ? count - 1 - index : index
  return Math.max(1, Math.floor(before / entriesPerPage) + 1)
}
