import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../http/problem.ts'

interface NamedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A folder in which every file is complete or absent, whenever the power goes. */
export interface Folder {
  /** Puts the files on disk, replacing those of the same name; what returns is durable. */
  write(files: readonly NamedFile[]): Promise<void>
  read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  has(name: string): Promise<boolean>
  /** Names of the files older than the moment. */
  olderThan(moment: Date): Promise<readonly string[]>
  remove(names: readonly string[]): Promise<void>
  /** Removes what interrupted writes before the moment left behind. */
  sweepUnfinished(before: Date): Promise<void>
}

/** A folder at this path, made at the first write; unfinished files live in `tmp` inside it, on the same file system. */
export function openFolder(path: string): Folder {
  const unfinished = join(path, 'tmp')
  return {
    write: async (files) => {
      await makeFolder(unfinished)
      const moves = files.map(({ name }) => [join(unfinished, randomUUID()), join(path, name)])
      try {
        for (const [i, { bytes }] of files.entries()) await writeSynced(moves[i]?.[0] ?? '', bytes)
        for (const [from = '', to = ''] of moves) await rename(from, to)
        await syncFolder(path)
      } catch (error) {
        await Promise.all(moves.map(([from = '']) => rm(from, { force: true })))
        throw isDiskFull(error) ? new Problem('sin-espacio', { cause: error }) : error
      }
    },
    read: (name) => readFile(join(path, name)).catch(absent),
    has: async (name) => (await stat(join(path, name)).catch(absent))?.isFile() ?? false,
    olderThan: (moment) => filesOlderThan(path, moment),
    remove: (names) => removeAll(path, names),
    sweepUnfinished: async (before) =>
      removeAll(unfinished, await filesOlderThan(unfinished, before)),
  }
}

/** Makes the folder, and its entry in the folder above it durable. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let at = path; at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at))
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o644)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function filesOlderThan(path: string, moment: Date): Promise<readonly string[]> {
  const entries = (await readdir(path, { withFileTypes: true }).catch(absent)) ?? []
  const old = entries.map(async (entry) => {
    const times = entry.isFile() ? await stat(join(path, entry.name)).catch(absent) : undefined
    return times && times.mtimeMs < moment.getTime() ? [entry.name] : []
  })
  return (await Promise.all(old)).flat()
}

async function removeAll(path: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(path, name), { force: true })
}

/** What is not there is an answer; any other failure is not. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOSPC' || code === 'EDQUOT'
}
