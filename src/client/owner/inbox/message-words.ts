import { contactTexts } from '#contract/messages/contact.ts'
import type { Message } from '#contract/messages/messages.ts'
import { fill, locale } from '#contract/text.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { nightsBetween, timeText } from '#client/ui/date-text.ts'

/** The length of an address that every system hands to a mail program whole, in characters; the quote is cut to fit. */
const longestAddress = 2_000
const longestName = 40

/** The time for today, else the day, with the year once it is another one. */
export function shortTime(receivedAt: string, now: number): string {
  const at = new Date(receivedAt)
  const days = nightsBetween(receivedAt, now)
  if (days <= 0) return timeText(receivedAt)
  if (days === 1) return inboxTexts.yesterdayShort
  const isThisYear = at.getFullYear() === new Date(now).getFullYear()
  return formatted(at, {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  })
}

/** The day with the time. */
export function longTime(receivedAt: string, now: number): string {
  const at = new Date(receivedAt)
  const days = nightsBetween(receivedAt, now)
  const time = timeText(receivedAt)
  if (days <= 0) return fill(inboxTexts.today, { time })
  if (days === 1) return fill(inboxTexts.yesterday, { time })
  return fill(inboxTexts.on, { date: formatted(at, { dateStyle: 'long' }), time })
}

/** Fits within a sentence: «hoy, 11:05». */
export function whenInSentence(moment: string, now: number): string {
  const text = longTime(moment, now)
  return text.charAt(0).toLocaleLowerCase(locale) + text.slice(1)
}

/** The first letters of the first two words. */
export function initialsOf(name: string): string {
  const letters = [...name.matchAll(/(?:^|\s)[^\p{L}\p{N}]*([\p{L}\p{N}])/gu)]
  const initials = letters.slice(0, 2).map(([, letter = '']) => letter)
  return initials.join('').toLocaleUpperCase(locale)
}

/** Quotes as much of the message, below an empty line, as an address takes. */
export function replyAddress({ name, email, message, receivedAt }: Message, owner: string): string {
  const when = formatted(new Date(receivedAt), { dateStyle: 'long' })
  const quoted = fill(inboxTexts.replyQuote, { when, name: start(name, longestName) })
  const subject = fill(inboxTexts.replySubject, { name: start(owner, longestName) })
  const address = encodeURIComponent(email).replaceAll('%40', '@')
  const head = `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(['', '', quoted, ''].join('\r\n'))}`
  return head + quoteOf(message, longestAddress - head.length)
}

function start(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text
}

/** Encoded quoted lines, of at most `most` characters, whole letters only. */
function quoteOf(text: string, most: number): string {
  const mark = encodeURIComponent('> ')
  const more = encodeURIComponent('…')
  let quote = mark
  for (const letter of text) {
    const next = letter === '\n' ? encodeURIComponent('\r\n') + mark : encodeURIComponent(letter)
    if (quote.length + next.length + more.length > most) return quote + more
    quote += next
  }
  return quote
}

export const contactPageTitle = contactTexts.title

function formatted(date: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, options).format(date)
}
