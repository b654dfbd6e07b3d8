import { expect, test } from 'vitest'
import type { Message } from '#contract/messages/messages.ts'
import { initialsOf, longTime, replyAddress, shortTime } from '#client/owner/inbox/message-words.ts'

/** Moments of this device's own calendar, so that the tests hold in every time zone. */
const at = (...parts: Parameters<typeof Date.UTC>) => {
  const [year, month = 0, ...rest] = parts
  return new Date(year, month, ...rest)
}
const now = at(2026, 10, 20, 21, 0).getTime()
const message: Message = {
  id: '1',
  name: 'Ana Paz',
  email: 'ana+web@example.com',
  message: 'Hola:\n¿qué tal?',
  receivedAt: at(2026, 10, 14, 9, 5).toISOString(),
  arrival: 1,
  readAt: null,
  answeredAt: null,
  tray: 'inbox',
  spamReason: '',
}

test.each([
  [at(2026, 10, 20, 10, 42), '10:42', 'Hoy, 10:42'],
  [at(2026, 10, 20, 0, 5), '00:05', 'Hoy, 00:05'],
  [at(2026, 10, 19, 23, 59), 'ayer', 'Ayer, 23:59'],
  [at(2026, 10, 14, 9, 5), '14 nov', '14 de noviembre de 2026, 09:05'],
  [at(2025, 11, 31, 9, 5), '31 dic 2025', '31 de diciembre de 2025, 09:05'],
  // A sender's clock may be ahead of this device's.
  [at(2026, 10, 21, 1, 0), '01:00', 'Hoy, 01:00'],
])('a message of %s is said to be of %s', (date, short, long) => {
  expect(shortTime(date.toISOString(), now)).toBe(short)
  expect(longTime(date.toISOString(), now)).toBe(long)
})

test.each([
  ['Marcos Prueba', 'MP'],
  ['ana maría paz', 'AM'],
  ['  Ñandú  ', 'Ñ'],
  ['"Zoe" (taller)', 'ZT'],
  ['李 雷', '李雷'],
  ['🦊', ''],
  ['𝒜na', '𝒜'],
])('the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

test('the answer goes to the sender alone and quotes every line', () => {
  const address = new URL(replyAddress(message, 'Lucía Ejemplo'))
  expect(address.pathname).toBe('ana%2Bweb@example.com')
  expect(address.searchParams.get('subject')).toBe('Re: tu mensaje a Lucía Ejemplo')
  expect(address.searchParams.get('body')?.split('\r\n')).toEqual([
    '',
    '',
    'El 14 de noviembre de 2026, Ana Paz escribió:',
    '> Hola:',
    '> ¿qué tal?',
  ])
})

test('an address cannot bring copies or a body of its own along', () => {
  const email = 'a@b.test?bcc=c@d.test&body=x'
  const address = new URL(replyAddress({ ...message, email }, 'L'))
  expect([...address.searchParams.keys()]).toEqual(['subject', 'body'])
})

test('a long message is quoted as far as mail programs take it, whole characters only', () => {
  const letters = ['🦊', 'a', 'á', '\n', '%', '李']
  for (const letter of letters) {
    const long = { ...message, name: 'Ñ'.repeat(200), message: letter.repeat(10_000) }
    const address = replyAddress(long, 'Ü'.repeat(60))
    expect(address.length).toBeLessThanOrEqual(2_000)
    expect(address.length).toBeGreaterThan(1_950)
    const body = new URL(address).searchParams.get('body') ?? ''
    expect(body.endsWith(letter === '\n' ? '> …' : `${letter.repeat(3)}…`)).toBe(true)
  }
})
