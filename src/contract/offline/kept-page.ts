/** Said by the worker to a page that it answered from its copy: the server draws the page the same. */
export const pageSame = 'SAME'
/** Said likewise: the server draws it differently, or did not answer. */
export const pageNews = 'NEWS'

/**
 * Where the server gives all pages that it draws for everybody in one answer: most of the text of each is in the others
 * too.
 */
export const allPagesPath = '/pages.json'

/** The page without content, which draws itself from the device's copy; the answer with all pages holds it too. */
export const shellPath = '/index.html'

/** A page in that answer, which has it by its path. */
export interface GivenPage {
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
}

/**
 * A page with more entries than this is not kept: without a connection the shell draws it from the device's own copy, and
 * every other page comes without its weight.
 */
export const mostKeptEntries = 500
