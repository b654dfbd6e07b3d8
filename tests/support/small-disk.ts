import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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

/** A disk of so many megabytes; `whenFinished` is told how it goes again. */
export function openSmallDisk(
  megabytes: number,
  whenFinished: (close: () => void) => void,
): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'tintero-disk-'))
  mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder)
  whenFinished(() => {
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
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
