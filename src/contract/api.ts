import { altIn } from './images/alternative-text.ts'
import type { FieldValues } from './fields.ts'
import { personFields, type Person } from './person/person.ts'
import type { Entry, Section } from './sections/section.ts'

/** Apart from `calls`: the worker needs no other. */
export const typingCall = 'typing'

/** Paths, below the API base, of the calls that pages make for everybody; `section` stands for a section's key. */
export const calls = {
  person: 'person',
  personDetail: 'person/detail',
  personUpdate: 'person/update',
  contact: 'contact',
  config: 'config',
  typing: typingCall,
} as const

export const idempotencyHeader = 'Idempotency-Key'
export const replayedHeader = 'Idempotency-Replayed'
/** On every answer of the API. Portals, filters and gateways answer calls too: without it an answer is one of theirs. */
export const ownHeader = 'X-Tintero'
/** Set by the worker on an answer that comes from its copy because the server did not answer. */
export const savedCopyHeader = 'X-Saved-Copy'
/** Honeypot and form age travel beside the contact body, which stays `{name, email, message}`. */
export const formAgeHeader = 'X-Form-Age'
export const honeypotHeader = 'X-Form-Extra'

const ids =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|[1-9]\d{0,14})$/

/** Whether the text can be an entry's id: a lower-case UUID or a positive whole number. */
export function isEntryId(id: string): boolean {
  return ids.test(id)
}

/** An entry as it travels: its fields beside `id` and `version`. */
export function entryToJson(entry: Entry): Readonly<Record<string, string | number>> {
  return { id: entry.id, ...entry.fields, version: entry.version }
}

/** One entry of an answer; fields the section does not have are dropped, absent ones are empty. Throws on anything else. */
export function parseEntry(section: Section, json: unknown): Entry {
  const record = recordOf(json)
  const id = typeof record['id'] === 'number' ? String(record['id']) : record['id']
  if (typeof id !== 'string' || !isEntryId(id)) throw new TypeError('an entry without an id')
  return { id, version: versionOf(record), fields: valuesFrom(section.fields, record) }
}

/** A list answer. Throws on anything that is not one. */
export function parseEntries(section: Section, json: unknown): readonly Entry[] {
  if (!Array.isArray(json)) throw new TypeError('an answer without a list')
  return json.map((item) => parseEntry(section, item))
}

/** The profile as it travels: its fields beside `version` and the `id` of every profile, 1. */
export function personToJson(person: Person): Readonly<Record<string, string | number>> {
  return { id: 1, ...person.fields, version: person.version }
}

/** The profile in an answer; absent fields are empty. Throws on anything else. */
export function parsePerson(json: unknown): Person {
  const record = recordOf(json)
  return { version: versionOf(record), fields: valuesFrom(personFields, record) }
}

function recordOf(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null) throw new TypeError('an answer without an object')
  return json as Record<string, unknown>
}

function versionOf(record: Readonly<Record<string, unknown>>): number {
  const { version } = record
  if (typeof version !== 'number') throw new TypeError('an answer without a version')
  return version
}

function valuesFrom(fields: object, record: Readonly<Record<string, unknown>>): FieldValues {
  const named = Object.keys(fields).map(
    (name) => [name, typeof record[name] === 'string' ? record[name] : ''] as const,
  )
  return { ...Object.fromEntries(named), ...altIn(record) }
}

/** When and on which device a thing was changed last, as a conflict tells. */
export interface LastChange {
  readonly at: string
  /** Absent where it is not known. */
  readonly device?: string
}

export interface UploadedImage {
  readonly url: string
}

/** What every page is drawn from. */
export interface SiteData {
  readonly person: Person
  readonly settings: Readonly<Record<string, string>>
  /** Entries by section key, in the server's order (oldest first). */
  readonly entries: Readonly<Record<string, readonly Entry[]>>
  /** How many entries there are, by section key, of a list of which one page was read. */
  readonly counts?: Readonly<Record<string, number>>
}
