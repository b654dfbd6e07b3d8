import type { SiteData } from '../api.ts'
import { sections } from '../sections/index.ts'
import type { Entry, Section } from '../sections/section.ts'

/*
 * A long list stands on several pages, so that each weighs much the same however many entries there are: the first at the
 * section's own path, the others at a number below it.
 */

export const entriesPerPage = 20

/** How many entries of each section the CV shows; it says where the others are. */
export const entriesOnCv = 100

/** One page of a section's list; the first has the number 1, and 0 stands for whatever is beyond the last. */
export interface ListPlace {
  readonly section: Section
  readonly page: number
}

/** What a page of a list, or a section of the CV, is drawn from. */
export interface ListPart {
  /** Those that it shows, in the server's order. */
  readonly entries: readonly Entry[]
  /** How many the whole list has. */
  readonly count: number
}

/** Page 1 has no number, so that it has one address. */
const address = /^(\/.+?)(?:\/(0|[2-9]|[1-9]\d{1,3}))?\/?$/

/** The page of a list that lies at an address; undefined for any other address. */
export function listAt(pathname: string): ListPlace | undefined {
  const [, path, page = 1] = address.exec(pathname) ?? []
  const section = sections.find((one) => one.path === path)
  return section && { section, page: Number(page) }
}

/** Page 0 has the address that stands for every page beyond the last. */
export const pathOfPage = ({ path }: Pick<Section, 'path'>, page: number): string =>
  page === 1 ? path : `${path}/${page}`

/** How many pages so many entries take. */
export const pagesOf = (count: number): number => Math.max(1, Math.ceil(count / entriesPerPage))

/**
 * The rows of a list, given whole and in the server's order, that stand on one of its pages; the CV is a first page of its
 * own size.
 */
export function rowsOn<Row>(
  { order }: Pick<Section, 'order'>,
  rows: readonly Row[],
  page: number,
  size = entriesPerPage,
): readonly Row[] {
  const end = order === 'newest-first' ? rows.length - (page - 1) * size : page * size
  return rows.slice(Math.max(0, end - size), Math.max(0, end))
}

/** What the site gives a page of a list: what was read for that page alone, or its part of the whole. */
export function partOf(
  { entries, counts }: SiteData,
  { section, page }: ListPlace,
  size = entriesPerPage,
): ListPart {
  const rows = entries[section.key] ?? []
  const count = counts?.[section.key]
  if (count !== undefined) return { entries: rows, count }
  return { entries: rowsOn(section, rows, page, size), count: rows.length }
}
