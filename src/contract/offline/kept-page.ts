/** What the worker tells the page that it answered from its copy: the server draws it the same, */
export const pageSame = 'SAME'
/** or otherwise, or did not answer. */
export const pageNews = 'NEWS'

/** Where the server gives all pages that it draws for everybody in one answer: most of each stands in the others too. */
export const allPagesPath = '/pages.json'

/** A page in that answer, which has it by its path. */
export interface GivenPage {
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
}
