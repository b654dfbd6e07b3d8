import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cliTexts } from '#contract/texts/cli.ts'

const noSpace: readonly unknown[] = ['ENOSPC', 'EDQUOT']

/** Whether it failed because the disk, or what this user may have of it, is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && noSpace.includes(error.code)
}

/** Why the system refused, for a person: in her language where it is one of the usual reasons. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  return Object.entries(cliTexts.system).find(([name]) => name === code)?.[1] ?? error.message
}

/** For `catch`: undefined where nothing is there, which another process may have removed; any other refusal is thrown. */
export function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/**
 * Makes the folder and those above it that are not there. Node's own way of doing so never ends where the system lets none be
 * made, as in /proc.
 */
export async function ensureFolder(folder: string, mode?: number): Promise<void> {
  if (await isFolder(folder)) return
  const above = dirname(folder)
  if (above !== folder) await ensureFolder(above, mode)
  await mkdir(folder, mode).catch(async (error: unknown) => {
    // Another process may have been quicker.
    if (!(await isFolder(folder))) throw error
  })
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Waits until what was written to the file, or which entries the folder has, is on the disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The name of a file that `diskTimeMs` has not got to remove. */
export const leftClock = /^\.[\da-f-]{36}\.clock$/

/**
 * What time it is, in milliseconds since 1970, by the clock that the folder's files are dated by: it may be another machine's,
 * and far from ours. Where nothing can be written any more it is `otherwise`.
 */
export async function diskTimeMs(folder: string, otherwise: Date): Promise<number> {
  const file = join(folder, `.${randomUUID()}.clock`)
  try {
    await (await open(file, 'wx', 0o600)).close()
    return (await stat(file)).mtimeMs
  } catch {
    return otherwise.getTime()
  } finally {
    await rm(file, { force: true }).catch(() => undefined)
  }
}
