import { chmod, lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import { absent, ensureFolder } from './disk.ts'

/** What a file's mode gives to its group and to everybody else. */
const others = 0o077

/**
 * Makes the data folder its user's alone: all it holds, and whatever this process makes from now on. Files of another user
 * cannot be changed; that is said and does not stop the start.
 */
export async function keepPrivate(folder: string, log: Log): Promise<void> {
  process.umask(others)
  await ensureFolder(folder)
  // The folder itself may be behind a link; what links in it lead to is not its own.
  await closeAll(await realpath(folder), log)
}

async function closeAll(path: string, log: Log): Promise<void> {
  // Another process of the site, or a command, may have removed it since it was listed.
  const found = await lstat(path).catch(absent)
  // A link leads out of the folder, where nothing is ours to change.
  if (!found || found.isSymbolicLink()) return
  if ((found.mode & others) !== 0) {
    await chmod(path, found.mode & 0o7777 & ~others).catch((error: NodeJS.ErrnoException) =>
      log('not-private', { path, code: error.code }),
    )
  }
  if (!found.isDirectory()) return
  for (const name of (await readdir(path).catch(absent)) ?? []) {
    await closeAll(join(path, name), log)
  }
}
