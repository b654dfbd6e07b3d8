import { spawnSync, type SpawnSyncOptions, type SpawnSyncReturns } from 'node:child_process'

/** However busy the machine is, a command that goes on for so long, in milliseconds, hangs. */
const endsWithinMs = 90_000

/**
 * Runs a command and waits, its output as text. A test's own limit cannot end it, since nothing else runs meanwhile: one that
 * hangs is killed, and throws.
 */
export function runToEnd(
  program: string,
  args: readonly string[],
  options: SpawnSyncOptions = {},
): SpawnSyncReturns<string> {
  const ended = spawnSync(program, args, { timeout: endsWithinMs, ...options, encoding: 'utf8' })
  if (ended.error) throw ended.error
  return ended
}
