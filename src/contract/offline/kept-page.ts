/** Said by the worker to a page that it answered from its copy: the server draws the page the same. */
export const pageSame = 'SAME'
/** Said likewise: the server draws it differently, or did not answer. */
export const pageNews = 'NEWS'

/**
 * Where the server gives all pages that it draws for everybody in one answer, and the API's answers that they are drawn from:
 * most of the text of each is in the others too.
 */
export const allPagesPath = '/pages.json'

/** The page without content, which draws itself from the device's copy; the answer with all pages holds it too. */
export const shellPath = '/index.html'

/** A page in that answer, or an answer of the API's; it has them by their paths. */
export interface GivenPage {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What stands in every page of a build, to the letter: the script before the first paint, the shared styles, the symbols. */
const frame = /<(script|style)>[^]*?<\/\1>|<svg data-frame[^]*?<\/svg>/g

/** Stands for each of these in a page that travels without them; no text of anybody's comes into a page as an element. */
export const gap = '<frame-gap>'

/** What a whole page has of its frame, in the order of the gaps. */
export const frameParts = (html: string): readonly string[] => html.match(frame) ?? []

/** The page as it travels, with a gap for each part of its frame. */
export const unframed = (html: string): string => html.replace(frame, gap)

/**
 * A page with more entries than this is not kept: without a connection the shell draws it from the device's own copy, and
 * every other page comes without its weight.
 */
export const mostKeptEntries = 500
