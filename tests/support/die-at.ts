import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { signalAll } from './processes.ts'

/*
 * A process that is surely killed at one step of its work, or that kills others there: right before or right after a call about a
 * certain file, or a certain query to PostgreSQL. Loaded before the program's own code (`node --import`), so that the product runs
 * unchanged.
 */

/**
 * A step: the function of `node:fs/promises`, or a connection's `query`; a pattern of its path or words; and on which
 * side of the call the process dies.
 */
export interface Step {
  readonly call:
    | 'copyFile'
    | 'link'
    | 'mkdir'
    | 'open'
    | 'query'
    | 'readFile'
    | 'rename'
    | 'rm'
    | 'writeFile'
  readonly about: string
  readonly side: 'before' | 'after'
  /** Only behind a call about this. */
  readonly past?: string
}

/** Variables that make a process die at the step, or kill another one there, with those that it has started. */
export function dieAtEnv(step: Step, other?: number): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${import.meta.url}`,
    DIE_AT: JSON.stringify(step),
    ...(other !== undefined && { DIE_OTHER: String(other) }),
  }
}

type Functions = Record<string, (this: unknown, ...given: readonly unknown[]) => unknown>

async function install({ call, about, side, past = '' }: Step): Promise<void> {
  const place = call === 'query' ? (await import('pg')).default.Client.prototype : fs
  const functions = place as unknown as Functions
  const real = functions[call]
  const pattern = new RegExp(about)
  let isPast = false
  functions[call] = async function dying(...given) {
    const words = String(given[0])
    isPast ||= new RegExp(past).test(words)
    const isIt = isPast && pattern.test(words)
    if (isIt && side === 'before') kill()
    const result = await real?.apply(this, [...given])
    if (isIt && side === 'after') kill()
    return result
  }
  syncBuiltinESMExports()
}

function kill(): void {
  const other = process.env['DIE_OTHER']
  if (other === undefined) process.kill(process.pid, 'SIGKILL')
  else signalAll(Number(other), 'SIGKILL')
}

const step = process.env['DIE_AT']
if (step !== undefined) await install(JSON.parse(step) as Step)
