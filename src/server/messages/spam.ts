import type { SpamReason } from '#contract/messages/messages.ts'

export interface Signs {
  readonly name: string
  readonly message: string
  /** The value of the field that people do not see. */
  readonly honeypot: string
  /** How long the form was open, by the sender's own word. */
  readonly pageAgeMs: number | undefined
  /** How long ago this server gave the form its mark, which a sender cannot forge. */
  readonly markAgeMs: number | undefined
  /** The number of equal messages within a day. */
  readonly repeats: number
}

/** No person fills three fields in less. */
const fastestPersonMs = 2_000
/** With JavaScript the mark comes with the first letter; a person may still paste everything else. */
const fastestTypingMs = 1_000
/** A message goes to the spam folder from this score on. */
const threshold = 100
/** Shorter texts may be equal by chance, such as a greeting or two words. */
const shortestRepeat = 20

const link = /\b(?:https?:\/\/|www\.)\S+/giu
// Neither pattern reads the same letters twice, however often it begins.
const markup = /<a\s[^<>]*href|\[url[=\]]|\[link[=\]]/iu
const linkName = /https?:\/\/|www\.|\.(?:com|net|org|ru|xyz|top|info|shop|online)\b/iu

/** Each sign of a robot with its weight: a sign that a person may show by accident does not decide alone. */
const rules: readonly (readonly [SpamReason, number, (signs: Signs) => boolean])[] = [
  ['honeypot', 100, ({ honeypot }) => honeypot !== ''],
  ['too-fast', 100, ({ pageAgeMs: age }) => age !== undefined && age < fastestPersonMs],
  ['too-fast', 50, ({ markAgeMs: age }) => age !== undefined && age < fastestTypingMs],
  ['repeated', 100, ({ repeats, message }) => repeats > 1 && message.length >= shortestRepeat],
  ['no-form', 60, ({ markAgeMs }) => markAgeMs === undefined],
  ['markup', 70, ({ message }) => markup.test(message)],
  ['links', 50, ({ message }) => linksIn(message) > 3],
  ['links', 50, ({ message }) => linksIn(message) > 8 || isMostlyLinks(message)],
  ['link-name', 50, ({ name }) => linkName.test(name)],
]

/** Strongest first; empty for a message that goes to the inbox. */
export function spamSigns(signs: Signs): readonly SpamReason[] {
  const met = rules.filter(([, , holds]) => holds(signs))
  const score = met.reduce((sum, [, weight]) => sum + weight, 0)
  return score < threshold ? [] : [...new Set(met.map(([reason]) => reason))]
}

function linksIn(text: string): number {
  return text.match(link)?.length ?? 0
}

function isMostlyLinks(text: string): boolean {
  const rest = text.replace(link, '').replace(/\s/gu, '')
  return linksIn(text) > 0 && rest.length < 10
}

/** Keeps letters and digits only, so that neither spacing nor punctuation hides a repeat. */
export function normalizedText(message: string): string {
  return message
    .toLowerCase()
    .replace(link, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
