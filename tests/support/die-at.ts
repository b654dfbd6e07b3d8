import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/*
 * A process that is surely killed at one step of its work: right before or right after a call about a certain file, or a
 * certain query to PostgreSQL. Loaded before the program's own code (`node --import`), so that the product runs unchanged.
 */

/**
 * A step: the function of `node:fs/promises`, or a connection's `query`; a pattern of its path or words; and on which
 * side of the call the process dies.
 */
export interface Step {
  readonly call: 'link' | 'open' | 'query' | 'readFile' | 'rename' | 'rm' | 'writeFile'
  readonly about: string
  readonly side: 'before' | 'after'
}

/** Variables that make a process die at the step. */
export function dieAtEnv(step: Step): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${import.meta.url}`, DIE_AT: JSON.stringify(step) }
}

type Functions = Record<string, (this: unknown, ...given: readonly unknown[]) => unknown>

async function install({ call, about, side }: Step): Promise<void> {
  const place = call === 'query' ? (await import('pg')).default.Client.prototype : fs
  const functions = place as unknown as Functions
  const real = functions[call]
  const pattern = new RegExp(about)
  functions[call] = async function dying(...given) {
    const isIt = pattern.test(String(given[0]))
    if (isIt && side === 'before') process.kill(process.pid, 'SIGKILL')
    const result = await real?.apply(this, [...given])
    if (isIt) process.kill(process.pid, 'SIGKILL')
    return result
  }
  syncBuiltinESMExports()
}

const step = process.env['DIE_AT']
if (step !== undefined) await install(JSON.parse(step) as Step)
