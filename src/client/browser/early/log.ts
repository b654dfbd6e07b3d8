/** Writes to the browser's console what went wrong, for whoever looks there; people are told on the page. */
export function logProblem(what: string, cause?: unknown): void {
  if (cause === undefined) console.error(what)
  else console.error(what, cause)
}
