import { randomBytes, timingSafeEqual } from 'node:crypto'
import { unavailable } from '../problem.ts'
import { createSerialQueue } from '../serial-queue.ts'
import { createThread, threadFile } from '../thread.ts'

/*
 * Passwords are kept as argon2id in the PHC string format, so that another library could verify them. A hash takes 19
 * MiB: one is made at a time, a few may wait, and further ones are refused.
 */

/** Memory in KiB, passes and lanes of one hash. */
interface Cost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

export type Derive = (
  input: Cost & {
    readonly message: string
    readonly nonce: Uint8Array
    readonly tagLength: number
  },
) => Promise<Uint8Array>

export interface Passwords {
  /** Resolves to a PHC string. Throws 503 when too many hashes wait. */
  hash(password: string): Promise<string>
  /** Without a stored password it does the same work and resolves to false. */
  verify(password: string, stored: string | undefined): Promise<boolean>
}

const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32
const maxWaiting = 20

const phc =
  /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$(?<salt>[A-Za-z0-9+/]+)\$(?<tag>[A-Za-z0-9+/]+)$/

/** Tests pass `derive` to watch the hashing. */
export function createPasswords(derive: Derive = argon2id): Passwords {
  const oneAtATime = createTurns()
  // No password matches random bytes.
  const decoy = toPhc(randomBytes(saltBytes), randomBytes(tagBytes))
  return {
    async hash(password) {
      const nonce = randomBytes(saltBytes)
      const input = { ...cost, message: password, nonce, tagLength: tagBytes }
      return toPhc(nonce, await oneAtATime(() => derive(input)))
    },
    async verify(password, stored) {
      const { tag, ...input } = parsePhc(stored ?? decoy)
      const message = { ...input, message: password, tagLength: tag.length }
      const derived = await oneAtATime(() => derive(message))
      return timingSafeEqual(derived, tag)
    },
  }
}

/**
 * The hash function always runs in the same thread: each thread keeps the memory that it once took for a hash, and
 * Node would use four of them in turn.
 */
export const argon2id: Derive = createThread(threadFile('hash-worker', import.meta.url), {
  withinMs: 30_000,
  memoryMb: 16,
})

function toPhc(salt: Uint8Array, tag: Uint8Array): string {
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(tag)}`
}

function parsePhc(text: string) {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phc.exec(text) ?? []
  if (salt === '' || tag === '') throw new TypeError('a stored password that is no argon2id hash')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}

/** Runs one task at a time, in the order of the calls; throws 503 when too many are waiting. */
function createTurns() {
  const queue = createSerialQueue()
  let inside = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (inside > maxWaiting) throw unavailable()
    inside++
    try {
      return await queue(work)
    } finally {
      inside--
    }
  }
}
