import { constants, existsSync } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fill } from '#contract/text.ts'
import { doctorTexts as said } from '#contract/texts/doctor.ts'

/** Why nothing can be kept in the folder that the variable names, or in the one above where it would be made. */
export async function folderTrouble(path: string, variable: string): Promise<string | undefined> {
  const folder = resolve(path)
  const found = await stat(folder).catch(() => undefined)
  if (found && !found.isDirectory()) return fill(said.notAFolder, { folder, variable })
  if (await mayWrite(nearestThere(folder))) return undefined
  return fill(said.notWritable, { folder, variable })
}

const { R_OK, W_OK, X_OK } = constants
const mayWrite = (folder: string): Promise<boolean> =>
  // Behind a slash only a folder is there: an executable file that stands above would pass.
  access(`${folder}/`, R_OK | W_OK | X_OK).then(
    () => true,
    () => false,
  )

/** The path itself, or the nearest above it that is there. */
export function nearestThere(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path))
}
