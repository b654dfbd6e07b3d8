import { spawnSync } from 'node:child_process'
import { statfsSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freshFolder } from './database.ts'

/** Whether this user may mount file systems; only then can a disk really be full or read-only in a test. */
export const canMount = tryMount()

function tryMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  return spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
}

export interface SmallDisk {
  readonly folder: string
  /** Leaves no byte; whoever has held some back can still free it. */
  fill(): void
  empty(): Promise<void>
  /** Lets nothing be written any more. */
  makeReadOnly(): void
}

/** A disk of so many megabytes, gone when the test ends. */
export async function openSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await freshFolder()
  mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder)
  onTestFinished(() => void spawnSync('umount', ['-l', folder]))
  const ballast = (n: number) => join(folder, `ballast-${n}`)
  let files = 0
  return {
    folder,
    fill() {
      for (;;) {
        const { bavail, bsize } = statfsSync(folder)
        if (bavail === 0) return
        writeFileSync(ballast(files++), Buffer.alloc(bavail * bsize))
      }
    },
    async empty() {
      while (files > 0) await rm(ballast(--files))
    },
    makeReadOnly: () => mount('-o', 'remount,ro', folder),
  }
}

function mount(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mount: ${stderr}`)
}
