import { contactTexts } from '#contract/contact.ts'
import type { Message } from '#contract/messages.ts'
import { fill } from '#contract/text.ts'
import { inboxTexts } from '#contract/texts-inbox.ts'

const language = 'es'
const dayMs = 24 * 60 * 60 * 1000
/** Mail programs are handed addresses of about 2,000 characters; the rest of a long message is left out of its quote. */
const longestQuote = 1_200

/** When a message came, for a list: the time today, the day before that, with the year once it is another one. */
export function shortTime(receivedAt: string, now: number): string {
  const at = new Date(receivedAt)
  const days = daysBetween(at, new Date(now))
  if (days <= 0) return timeOf(at)
  if (days === 1) return inboxTexts.yesterdayShort
  const isThisYear = at.getFullYear() === new Date(now).getFullYear()
  return formatted(at, {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  })
}

/** When a message came, for its head: with the time. */
export function longTime(receivedAt: string, now: number): string {
  const at = new Date(receivedAt)
  const days = daysBetween(at, new Date(now))
  const time = timeOf(at)
  if (days <= 0) return fill(inboxTexts.today, { time })
  if (days === 1) return fill(inboxTexts.yesterday, { time })
  return fill(inboxTexts.on, { date: formatted(at, { dateStyle: 'long' }), time })
}

/** How often what is said of a time is looked at anew, in milliseconds. */
export const nowEveryMs = 60_000

/** The first letters of the first two words of a name. */
export function initialsOf(name: string): string {
  const letters = [...name.matchAll(/(?:^|\s)[^\p{L}\p{N}]*([\p{L}\p{N}])/gu)]
  const initials = letters.slice(0, 2).map(([, letter = '']) => letter)
  return initials.join('').toLocaleUpperCase(language)
}

/** A mail to the sender, with the message quoted below an empty line. */
export function replyAddress({ name, email, message, receivedAt }: Message, owner: string): string {
  const when = formatted(new Date(receivedAt), { dateStyle: 'long' })
  const characters = Array.from(message)
  const isCut = characters.length > longestQuote
  const text = isCut ? `${characters.slice(0, longestQuote).join('')}…` : message
  const quote = text.split('\n').map((line) => `> ${line}`)
  const body = ['', '', fill(inboxTexts.replyQuote, { when, name }), ...quote].join('\r\n')
  const subject = fill(inboxTexts.replySubject, { name: owner })
  const address = encodeURIComponent(email).replaceAll('%40', '@')
  return `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}

/** The page that messages are written on, as the owner knows it. */
export const contactPage = contactTexts.title

/** Calendar days from one moment to another, on this device's calendar. */
function daysBetween(from: Date, to: Date): number {
  return Math.round((noonOf(to) - noonOf(from)) / dayMs)
}

function noonOf(date: Date): number {
  return new Date(date).setHours(12, 0, 0, 0)
}

function timeOf(date: Date): string {
  return formatted(date, { hour: 'numeric', minute: '2-digit', hour12: false })
}

function formatted(date: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language, options).format(date)
}
