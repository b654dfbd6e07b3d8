import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../log.ts'

/*
 * The room on the disk of the data folder. Some of it is held back in a file: when the disk is full that file goes, and
 * what it held is only for signing in and deleting, so that the owner can make room.
 */

/** Less than this and nothing more is stored. */
const leastBytes = 2 * 1024 ** 2
/** What a write-ahead log takes at most until it is written over from its beginning. */
const reserveBytes = 8 * 1024 ** 2
/** What of it stays for the next start, which cannot open the database without any room. */
const startBytes = 1024 ** 2
/** What must be free for everything to be stored again: the reserve, and as much as keeps it from being full at once. */
const enoughBytes = reserveBytes + 2 * leastBytes

export interface DiskRoom {
  /** Whether only what makes room may be stored. */
  isScarce(): boolean
  /** How many bytes have to be freed until everything may be stored again; 0 while it may. */
  toFree(): number
  /** Holds back, on a full disk, what a stop has left free: the next start would find nothing to open the database with. */
  holdBack(): void
}

/** Looks after the room in the folder; says once when it gets scarce, and once when there is room again. */
export function openDiskRoom(dir: string, log: Log): DiskRoom {
  const reserve = join(dir, 'reserve')
  let isScarce = false
  let lookedBefore = false
  const look = () => {
    const free = freeBytes(dir)
    const isEnough = free > enoughBytes
    if (free < leastBytes) {
      if (!isScarce) log('disk-full', { free })
      shrink(reserve, lookedBefore ? startBytes : 0)
      isScarce = true
    } else if (isScarce ? isEnough : sizeOf(reserve) !== reserveBytes) {
      if (isScarce) log('disk-has-room', { free })
      isScarce = false
      if (isEnough) keep(reserve, reserveBytes)
    }
    lookedBefore = true
  }
  return {
    isScarce() {
      // Some microseconds, before writes alone: a disk that filled up since the last one must not refuse a sign-in.
      look()
      return isScarce
    },
    toFree() {
      look()
      return isScarce ? Math.max(1, enoughBytes - freeBytes(dir)) : 0
    },
    holdBack() {
      const free = Math.min(startBytes, freeBytes(dir))
      if (isScarce && free > sizeOf(reserve)) keep(reserve, free)
    },
  }
}

function freeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function shrink(path: string, bytes: number): void {
  if (sizeOf(path) > bytes) truncateSync(path, bytes)
}

/** Fills the file with what no file system can make smaller. One that cannot be filled is no reserve. */
function keep(path: string, bytes: number): void {
  try {
    const file = openSync(path, 'w', 0o600)
    try {
      writeSync(file, randomBytes(bytes))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch {
    rmSync(path, { force: true })
  }
}
