import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ensureFolder } from '../disk/disk.ts'
import type { CopyFile } from './site-copy.ts'

/** The file of a folder that names all that a copy wrote there, so that the next one takes away what is no more. */
const listName = '.tintero'

/**
 * Whether a copy may be written there: the folder is not there yet, has nothing that is seen in it, or holds a copy.
 * What somebody else put there is never written over.
 */
export async function mayContainCopy(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): readonly string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.includes(listName) || names.every((name) => name.startsWith('.'))
}

/** Writes the files, and takes away those of an earlier copy that this one has not got. */
export async function writeCopy(folder: string, files: readonly CopyFile[]): Promise<void> {
  const names = files.map(({ name }) => name)
  const before = await earlierNames(folder)
  const list = (some: readonly string[]) => writeFile(join(folder, listName), some.join('\n'))
  await ensureFolder(folder)
  // Before anything else, so that a copy that was broken off is known as one.
  await list([...new Set([...before, ...names])])
  for (const { name, read } of files) {
    const path = join(folder, name)
    await ensureFolder(dirname(path))
    await writeFile(path, await read())
  }
  const now = new Set(names)
  for (const name of before.filter((one) => !now.has(one))) {
    await rm(join(folder, name), { force: true })
  }
  await list(names)
}

/** The list is a file like any other: a name that leads out of the folder is none of ours. */
async function earlierNames(folder: string): Promise<readonly string[]> {
  const text = await readFile(join(folder, listName), 'utf8').catch(() => '')
  return text.split('\n').filter((name) => name !== '' && !/^\/|\\|(?:^|\/)\.\.(?:\/|$)/.test(name))
}
