import { headOfPage } from '#contract/page-heads.ts'
import { pages } from '#contract/pages.ts'
import { sections } from '#contract/sections/index.ts'

/** The sections of a site as it begins. */
export const firstSections = sections.filter(({ startsOff }) => !startsOff)

/** The addresses of the sections that are nowhere until the owner turns them on. */
export const offPaths: readonly string[] = sections
  .filter(({ startsOff }) => startsOff)
  .map(({ path }) => path)

/** The addresses that search engines are offered of a site as it begins, in the order of the navigation. */
export const publicPaths = pages
  .filter((page) => headOfPage(page).indexed && !offPaths.includes(page.path))
  .map(({ path }) => path)

const own = new Set(['/', '/about', '/contact', ...sections.map(({ path }) => path)])
/** The pages of the navigation that a site has beside the product's own. */
export const furtherPaths: readonly string[] = pages
  .filter(({ path, icon }) => icon !== undefined && !own.has(path))
  .map(({ path }) => path)

/** The addresses that only the owner opens; `$id` matches one path segment. */
export const ownerPaths = pages.filter(({ kind }) => kind === 'owner').map(({ path }) => path)

/** Every address that anybody may open, those of the sections that begin off included, and one that leads nowhere. */
export const openPaths = [
  ...pages.filter(({ kind }) => kind !== 'owner').map(({ path }) => path),
  '/nada',
]
