import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/*
 * A process that is surely killed at one step of its work on files: right before or right after a call about a path that
 * contains a text. Loaded before the program's own code (`node --import`), so that the product runs unchanged.
 */

/** A step: the function of `node:fs/promises`, what its path contains, and on which side of the call the process dies. */
export interface Step {
  readonly call: 'open' | 'readFile' | 'rename' | 'rm'
  readonly path: string
  readonly side: 'before' | 'after'
}

/** Variables that make a process die at the step. */
export function dieAtEnv(step: Step): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import=${import.meta.url}`, DIE_AT: JSON.stringify(step) }
}

function install({ call, path, side }: Step): void {
  const functions = fs as unknown as Record<string, (...given: readonly unknown[]) => unknown>
  const real = functions[call]
  functions[call] = async (...given) => {
    const isIt = String(given[0]).includes(path)
    if (isIt && side === 'before') process.kill(process.pid, 'SIGKILL')
    const result = await real?.(...given)
    if (isIt) process.kill(process.pid, 'SIGKILL')
    return result
  }
  syncBuiltinESMExports()
}

const step = process.env['DIE_AT']
if (step !== undefined) install(JSON.parse(step) as Step)
