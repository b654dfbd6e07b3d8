import { createHash, hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { openPromise, type Entry } from 'yauzl'
import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { manifestName, parseManifest, rowsName, type Manifest } from './manifest.ts'

const { faults } = backupTexts

/** Room for half a million pictures; what says more is made to fill the memory, in which a manifest is held whole. */
const largestManifest = 64_000_000

/** A backup whose manifest could be read; nothing else of it has been looked at. */
export interface OpenedBackup {
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
      if (!found.delete(name)) throw new UnusableBackup(file, fill(faults.missing, { name }))
      const { bytes, sha256 } = await digest(await backup.open(name))
      if (bytes !== expected.bytes || sha256 !== expected.sha256) {
        throw new UnusableBackup(file, fill(faults.changed, { name }))
      }
    }
    found.delete(manifestName)
    if (found.size > 0) {
      throw new UnusableBackup(file, fill(faults.added, { name: [...found].join(', ') }))
    }
    for (const [table, rows] of Object.entries(manifest.tables)) {
      let lines = 0
      for await (const _ of readRows(backup, table)) lines++
      if (lines !== rows) throw new UnusableBackup(file, fill(faults.rows, { table, rows }))
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
      const entries = new Map<string, Entry>()
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
      const open = async (name: string) => {
        const entry = entries.get(name)
        if (!entry) throw new UnusableBackup(file, fill(faults.missing, { name }))
        return zip.openReadStreamPromise(entry)
      }
      if ((entries.get(manifestName)?.uncompressedSize ?? 0) > largestManifest) {
        throw new UnusableBackup(file, faults.noBackup)
      }
      const manifest = await text(await open(manifestName))
      if (hash('sha256', manifest) !== zip.comment) {
        throw new UnusableBackup(file, fill(faults.changed, { name: manifestName }))
      }
      const close = () => zip.close()
      return { manifest: parseManifest(manifest), names: [...entries.keys()], open, close }
    } catch (error) {
      zip.close()
      throw error
    }
  } catch (error) {
    throw asUnusable(file, error)
  }
}

/** A table's rows, one at a time. */
export async function* readRows(
  backup: OpenedBackup,
  table: string,
): AsyncGenerator<Record<string, string | number | null>> {
  let rest = ''
  const stream = (await backup.open(rowsName(table))).setEncoding('utf8')
  for await (const chunk of stream as AsyncIterable<string>) {
    // Only what is new is searched: a line of many pieces would be searched anew with each of them.
    for (const [place, part] of chunk.split('\n').entries()) {
      if (place > 0) {
        yield JSON.parse(rest) as Record<string, string | number | null>
        rest = ''
      }
      rest += part
    }
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

/** What cannot be read because of the disk is not the backup's fault, and keeps its own name. */
function asUnusable(file: string, error: unknown): unknown {
  if (error instanceof UnusableBackup) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^E[A-Z]+$/.test(code)) return error
  return new UnusableBackup(file, faults.noBackup, error)
}
