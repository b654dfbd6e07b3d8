/** Writes to the console for whoever diagnoses; the page itself tells people. */
export function logProblem(...said: readonly [what: string, cause?: unknown]): void {
  console.error(...said)
}
