/* How a form tells its age. Apart from the form's own texts: most visitors never need it. */

/** Where no JavaScript runs, this parameter of the form's address tells when the form was drawn, signed. */
export const formMarkParameter = 'desde'

/**
 * The header of a form: how long the page has been open, in milliseconds, where that tells how long somebody wrote, and the
 * mark that the server gave it.
 */
export function formAgeOf(pageAgeMs: number | undefined, mark: string | undefined): string {
  const age = pageAgeMs === undefined ? '' : Math.round(pageAgeMs)
  return [age, ...(mark === undefined ? [] : [mark])].join(';')
}

/** The answer that gives a form its mark. Throws on anything else. */
export function parseFormMark(json: unknown): string {
  const isMark = typeof json === 'object' && json !== null && 'mark' in json
  if (!isMark || typeof json.mark !== 'string') throw new TypeError('an answer without a mark')
  return json.mark
}
