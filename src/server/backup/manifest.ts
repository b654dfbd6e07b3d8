import * as v from 'valibot'
import { hashIn } from '../images/stored-files.ts'

/** Why a backup was made. */
export const backupReasons = ['night', 'update', 'hand'] as const
export type BackupReason = (typeof backupReasons)[number]

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const manifest = v.object({
  format: v.literal('tintero-backup'),
  formatVersion: v.literal(1),
  madeAt: v.pipe(v.string(), v.isoTimestamp()),
  reason: v.picklist(backupReasons),
  /** The last migration its tables have had. */
  migration: v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/)),
  /** How many rows of each table it holds, in `rows/<table>.ndjson`. */
  tables: v.record(v.string(), count),
  /** Every other file in it. */
  files: v.record(
    v.string(),
    v.object({ bytes: count, sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) }),
  ),
  /** Pictures that the rows name and that were nowhere to be found. */
  missing: v.array(v.string()),
  /** Pictures that are in it as the disk had them, which is not as they were stored. */
  damaged: v.optional(v.array(v.string()), []),
  /** How many of the database's rows refer to none that is there; a restore leaves them out. */
  loose: v.optional(count, 0),
})

/** What a backup says of itself; it is the last thing written into it. */
export type Manifest = v.InferOutput<typeof manifest>

/** A moment as part of a name. */
export function stampOf(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d+/g, '')
}

export const manifestName = 'manifest.json'
export const rowsName = (table: string) => `rows/${table}.ndjson`
const mediaFolder = 'media/'
export const mediaName = (file: string) => `${mediaFolder}${file}`

/** Whether a part is said to be a picture. */
export const isPicture = (name: string): boolean => name.startsWith(mediaFolder)

/** Whether a backup has parts of such a name: the rows of any table, and pictures as the site names them. */
export function isPartName(name: string): boolean {
  if (isPicture(name)) return hashIn(name.slice(mediaFolder.length)) !== undefined
  return name.startsWith('rows/') && name.endsWith('.ndjson')
}

type Lacking = Pick<Manifest, 'missing' | 'damaged'>

/** Which pictures a backup has not, or not as they were stored. */
export function picturesLackingIn({ missing, damaged }: Lacking): readonly string[] {
  // Up to its first dot a file's name is its picture's.
  return [...new Set([...missing, ...damaged].map((file) => file.split('.')[0] ?? file))]
}

/** How many they are. */
export function lackingIn(one: Lacking): number {
  return picturesLackingIn(one).length
}

/** The manifest in a text. Throws when it is none. */
export function parseManifest(text: string): Manifest {
  return v.parse(manifest, JSON.parse(text))
}

/**
 * Not in a backup: who is signed in, one-time links, what passkeys have to sign or have signed, what that is signed with, and
 * what is counted against floods.
 */
export const leftOut: ReadonlySet<string> = new Set([
  'session',
  'sign_in',
  'one_time_link',
  'passkey_challenge',
  'spent_challenge',
  'secret',
  'throttle',
  'kysely_migration',
  'kysely_migration_lock',
])
