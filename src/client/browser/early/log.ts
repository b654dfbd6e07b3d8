/** Writes to the browser's console what went wrong, for whoever looks there; people are told on the page. */
export function logProblem(...said: readonly [what: string, cause?: unknown]): void {
  console.error(...said)
}
