import { argon2Sync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { Derive } from './password.ts'
import type { ThreadAnswer } from '../thread.ts'

/*
 * Runs in a thread of its own (see `password.ts`): receives a password with its salt and cost, answers with the hash.
 */

function derive(input: Parameters<Derive>[0]): ThreadAnswer<Uint8Array> {
  try {
    return { value: new Uint8Array(argon2Sync('argon2id', input)) }
  } catch (error) {
    return { error: String(error) }
  }
}

parentPort?.on('message', (input: Parameters<Derive>[0]) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(derive(input))
})
