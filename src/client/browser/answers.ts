/**
 * `copyOf` is when the server gave what the device's copy answered with, in the words of HTTP: empty where nothing answered
 * and what was there stays, null for the server's own answer.
 */
type Listener = (path: string, copyOf: string | null) => void

let listener: Listener = () => undefined

export const noteAnswer: Listener = (path, copyOf) => listener(path, copyOf)

/** Replaces the listener before. */
export function onAnswer(next: Listener): void {
  listener = next
}
