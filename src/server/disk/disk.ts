import { open } from 'node:fs/promises'

const noSpace: readonly unknown[] = ['ENOSPC', 'EDQUOT']

/** Whether it failed because the disk, or what this user may have of it, is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && noSpace.includes(error.code)
}

/** Waits until what was written to the file, or which entries the folder has, is on the disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
