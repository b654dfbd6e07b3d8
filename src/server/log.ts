/** What a log line may carry: never a token, a password, a message's text or a full address. */
type Facts = Readonly<Record<string, string | number | boolean | undefined>>

export type Log = (event: string, facts?: Facts) => void

/** One JSON line per event on standard output; JSON escapes line breaks, so no text can forge a second line. */
export const log: Log = (event, facts = {}) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`)
}
