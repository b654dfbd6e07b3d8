/** What the worker tells the page that it answered from its copy: the server draws it the same, */
export const pageSame = 'SAME'
/** or otherwise, or did not answer. */
export const pageNews = 'NEWS'

/** Where the server gives all pages that it draws for everybody in one answer: most of each stands in the others too. */
export const allPagesPath = '/pages.json'

/** The page without content, which draws itself from the device; it is in that answer, too. */
export const shellPath = '/index.html'

/** A page in that answer, which has it by its path. */
export interface GivenPage {
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
}

/**
 * With more entries on it than this a page is none to keep: where there is no connection the shell draws it from the device's
 * own copy, and every other page comes without its weight.
 */
export const mostKeptEntries = 500
