import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hourMs } from '#contract/durations.ts'
import { absent, diskTimeMs, isDiskFull, syncToDisk } from '../disk/disk.ts'
import { Problem } from '../problem.ts'
import type { PictureFiles } from './picture-files.ts'

/** The first write makes the folder; unfinished files live in `tmp` inside it, on the same file system. */
export function openFolder(path: string): PictureFiles {
  const unfinished = join(path, 'tmp')
  return {
    place: path,
    isRemote: false,
    write: async (files) => {
      await makeFolder(unfinished)
      const moves = files.map(({ name }) => [join(unfinished, randomUUID()), join(path, name)])
      try {
        for (const [i, { bytes }] of files.entries()) await writeSynced(moves[i]?.[0] ?? '', bytes)
        for (const [from = '', to = ''] of moves) await rename(from, to)
        await syncToDisk(path)
      } catch (error) {
        await Promise.all(moves.map(([from = '']) => rm(from, { force: true })))
        throw isDiskFull(error) ? new Problem('sin-espacio', { cause: error }) : error
      }
    },
    read: (name) => readFile(join(path, name)).catch(absent),
    has: async (name) => (await stat(join(path, name)).catch(absent))?.isFile() ?? false,
    list: () => listFiles(path),
    remove: (names) => removeAll(path, names),
    rename: async (name, other) => {
      await rename(join(path, name), join(path, other)).catch(absent)
      await syncToDisk(path)
    },
    sweepUnfinished: async (now) => {
      const left = await listFiles(unfinished)
      if (left.length === 0) return
      const diskMs = await diskTimeMs(unfinished, now)
      // The clock may have been ahead.
      const old = left.filter(({ at }) => Math.abs(diskMs - at.getTime()) > hourMs)
      await removeAll(
        unfinished,
        old.map(({ name }) => name),
      )
    },
  }
}

/** Also makes its entry in the parent folder durable. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let at = path; at.length >= first.length; at = dirname(at)) await syncToDisk(dirname(at))
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function listFiles(path: string) {
  const entries = (await readdir(path, { withFileTypes: true }).catch(absent)) ?? []
  const listed = entries.map(async (entry) => {
    const found = entry.isFile() ? await stat(join(path, entry.name)).catch(absent) : undefined
    return found ? [{ name: entry.name, at: found.mtime }] : []
  })
  return (await Promise.all(listed)).flat()
}

async function removeAll(path: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(path, name), { force: true })
}
