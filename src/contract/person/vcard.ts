import { fullName, hasName, type Person } from './person.ts'
import { profilesOf } from '../settings/profiles.ts'
import type { SettingValues } from '../settings/settings.ts'

/** RFC 2426 has no line longer than this many bytes; a longer one goes on behind a space. */
const lineBytes = 75

interface Contact {
  readonly person: Person
  readonly settings: SettingValues
  /** The site's own address. */
  readonly address: string
}

/** Her contact as the address books of phones and computers take it in: vCard 3.0, which all of them read. */
export function vcardOf({ person, settings, address }: Contact): string {
  const { name = '', lastname = '', title = '' } = person.fields
  const { email, location_text } = settings
  const names = hasName(person) ? [lastname, name] : [fullName(person), '']
  const profiles = profilesOf(settings).map(({ href }) => href)
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${names.map(escaped).join(';')};;;`,
    `FN:${escaped(fullName(person))}`,
    title && `TITLE:${escaped(title)}`,
    email && `EMAIL;TYPE=INTERNET:${escaped(email)}`,
    location_text && `ADR:;;;${escaped(location_text)};;;`,
    ...[address, ...profiles].map((url) => `URL:${escaped(url)}`),
    'END:VCARD',
  ]
  return `${lines.filter(Boolean).map(folded).join('\r\n')}\r\n`
}

const escaped = (text: string) =>
  text.replace(/[\\;,]/g, String.raw`\$&`).replace(/\r\n?|\n/g, String.raw`\n`)

/** The line in pieces of whole letters, each short enough. */
function folded(line: string): string {
  let text = ''
  let room = lineBytes
  for (const letter of line) {
    const bytes = bytesOf(letter)
    if (bytes > room) {
      text += '\r\n '
      room = lineBytes - 1
    }
    text += letter
    room -= bytes
  }
  return text
}

function bytesOf(letter: string): number {
  const point = letter.codePointAt(0) ?? 0
  if (point < 0x80) return 1
  if (point < 0x8_00) return 2
  return point < 0x1_00_00 ? 3 : 4
}
