import { entriesPerPage } from '#contract/entries/list-pages.ts'
import type { Section } from '#contract/sections/section.ts'

/** The page that the row at an index of the whole list stands on. */
export function pageOfRow({ order }: Pick<Section, 'order'>, index: number, count: number): number {
  const before = order === 'newest-first' ? count - 1 - index : index
  return Math.max(1, Math.floor(before / entriesPerPage) + 1)
}
