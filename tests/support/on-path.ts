import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The paths of those of the commands that this machine has. */
export function onPath(names: readonly string[]): readonly string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .filter((candidate) => existsSync(candidate))
}
