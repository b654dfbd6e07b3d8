import { createHash, hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import {
  isPartName,
  isPicture,
  manifestName,
  parseManifest,
  rowsName,
  type Manifest,
} from './manifest.ts'

const { faults } = backupTexts

/*
 * Whoever restores a file may have it from anywhere. What it says of itself is never taken for true, nothing of it is
 * held whole that inflates without end, and its names reach the disk only where the product itself has made such ones.
 */

/** Room for half a million pictures; what says more is made to fill the memory, in which a manifest is held whole. */
const largestManifest = 64_000_000
/** As many as such a manifest names. Each costs memory and two reads before the first can be looked at. */
const mostParts = 500_000
/** Lists and objects of a manifest beside the one of each part, with room for what later versions may say. */
const mostLists = 1000
/** Far more than any row; one is held whole. */
const largestRow = 20_000_000
/** How many names a sentence says, and how much of each. */
const mostNamed = 3
const longestNamed = 100

/** A backup whose manifest could be read; nothing else of it has been looked at. */
export interface OpenedBackup {
  readonly file: string
  readonly manifest: Manifest
  /** The names of all files in it. */
  readonly names: readonly string[]
  open(name: string): Promise<Readable>
  close(): void
}

/** A file that is no backup, or no whole one. */
export class UnusableBackup extends Error {
  readonly why: string

  constructor(file: string, why: string, cause?: unknown) {
    super(`${file} cannot be used as a backup: ${why}`, { cause })
    this.why = why
    this.name = 'UnusableBackup'
  }
}

/** Reads the whole file against its manifest. Throws `UnusableBackup` when anything is missing, added or changed. */
export async function verifyBackup(file: string): Promise<Manifest> {
  const backup = await openBackup(file)
  try {
    const { manifest } = backup
    const found = new Set(backup.names)
    for (const [name, expected] of Object.entries(manifest.files)) {
      if (!isPartName(name)) throw unusable(file, 'foreign', name)
      if (!found.delete(name)) throw unusable(file, 'missing', name)
      const { bytes, sha256 } = await digest(await backup.open(name))
      if (bytes !== expected.bytes || sha256 !== expected.sha256) {
        throw unusable(file, 'changed', name)
      }
    }
    found.delete(manifestName)
    if (found.size > 0) throw unusable(file, 'added', ...found)
    for (const [table, rows] of Object.entries(manifest.tables)) {
      let lines = 0
      for await (const _ of readRows(backup, table)) lines++
      if (lines !== rows) {
        throw new UnusableBackup(file, fill(faults.rows, { table: shown(table), rows }))
      }
    }
    return manifest
  } catch (error) {
    throw asUnusable(file, error)
  } finally {
    backup.close()
  }
}

/**
 * Opens a backup and checks its manifest. Throws `UnusableBackup` with a sentence for a file that is none or was
 * changed.
 */
export async function openBackup(file: string): Promise<OpenedBackup> {
  try {
    const zip = await openPromise(file, { autoClose: false })
    try {
      const entries = await readEntries(file, zip)
      const open = async (name: string) => {
        const entry = entries.get(name)
        if (!entry) throw unusable(file, 'missing', name)
        return zip.openReadStreamPromise(entry)
      }
      if ((entries.get(manifestName)?.uncompressedSize ?? 0) > largestManifest) {
        throw new UnusableBackup(file, faults.noBackup)
      }
      const manifest = await text(await open(manifestName))
      if (hash('sha256', manifest) !== zip.comment) throw unusable(file, 'changed', manifestName)
      // Made of nothing but lists it would take fifty times its length.
      if (countLists(manifest) > 2 * entries.size + mostLists) {
        throw new UnusableBackup(file, faults.noBackup)
      }
      const close = () => zip.close()
      return { file, manifest: parseManifest(manifest), names: [...entries.keys()], open, close }
    } catch (error) {
      zip.close()
      throw error
    }
  } catch (error) {
    throw asUnusable(file, error)
  }
}

/** Its parts by their names. Throws `UnusableBackup` where they are not such as a backup is made of. */
async function readEntries(file: string, zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > mostParts) throw new UnusableBackup(file, faults.noBackup)
  const entries = new Map<string, Entry>()
  let packed = 0
  for await (const entry of zip.eachEntry()) {
    const { fileName: name } = entry
    if (entries.has(name)) throw unusable(file, 'doubled', name)
    // Parts that share their data would inflate to more than any file of its size.
    packed += entry.compressedSize
    if (packed > zip.fileSize) throw new UnusableBackup(file, faults.noBackup)
    // A picture is held whole, and none is ever written compressed.
    if (isPicture(name) && entry.compressionMethod !== 0) throw unusable(file, 'changed', name)
    entries.set(name, entry)
  }
  return entries
}

function countLists(json: string): number {
  let count = 0
  for (const mark of ['[', '{']) {
    for (let at = json.indexOf(mark); at !== -1; at = json.indexOf(mark, at + 1)) count++
  }
  return count
}

/** A table's rows, one at a time. */
export async function* readRows(backup: OpenedBackup, table: string): AsyncGenerator<Row> {
  const refuse = (): never => {
    throw unusable(backup.file, 'unfit', table)
  }
  let rest = ''
  const stream = (await backup.open(rowsName(table))).setEncoding('utf8')
  for await (const chunk of stream as AsyncIterable<string>) {
    // Only what is new is searched: a line of many pieces would be searched anew with each of them.
    for (const [place, part] of chunk.split('\n').entries()) {
      if (place > 0) {
        yield rowIn(rest) ?? refuse()
        rest = ''
      }
      if (rest.length + part.length > largestRow) refuse()
      rest += part
    }
  }
}

/** The values of a table of the site's; those of another may be anything, and go nowhere. */
type Row = Record<string, string | number | null>

/** Undefined where the line is no row's. */
function rowIn(line: string): Row | undefined {
  try {
    const row: unknown = JSON.parse(line)
    return typeof row === 'object' && row !== null && !Array.isArray(row) ? (row as Row) : undefined
  } catch {
    return undefined
  }
}

async function digest(stream: Readable): Promise<{ bytes: number; sha256: string }> {
  const digesting = createHash('sha256')
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    digesting.update(chunk)
  }
  return { bytes, sha256: digesting.digest('hex') }
}

/** The refusal of a file for these names in it. */
function unusable(
  file: string,
  fault: 'added' | 'changed' | 'doubled' | 'foreign' | 'missing' | 'unfit',
  ...names: readonly string[]
): UnusableBackup {
  const more = names.length > mostNamed ? ', …' : ''
  const name = names.slice(0, mostNamed).map(shown).join(', ') + more
  return new UnusableBackup(file, fill(faults[fault], { name }))
}

/** A name as a terminal may be given it: it may hold commands to that, and go on for ever. */
function shown(name: string): string {
  const short = name.length > longestNamed ? `${name.slice(0, longestNamed)}…` : name
  return short.replaceAll(/\p{C}/gu, '?')
}

/** What cannot be read because of the disk is not the backup's fault, and keeps its own name. */
function asUnusable(file: string, error: unknown): unknown {
  if (error instanceof UnusableBackup) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^E[A-Z]+$/.test(code)) return error
  return new UnusableBackup(file, faults.noBackup, error)
}
