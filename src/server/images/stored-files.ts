import { createHash } from 'node:crypto'
import { smallerWidths } from '#contract/images/image.ts'
import type { TableRow } from '../db/tables.ts'

/* What a picture's files are called, and what they were when they were stored. */

const storedFile = /^([0-9a-f]{40})\.(\d{1,5})x\d{1,5}(?:-\d{1,4})?\.(webp|svg)$/

/** The hash of the picture that a file is of, undefined where the name is no picture's. */
export const hashIn = (file: string): string | undefined => storedFile.exec(file)?.[1]

/** What a picture's file ends with, empty where the name is no picture's. */
export const endingOf = (file: string): string => storedFile.exec(file)?.[3] ?? ''

/** All files of a picture with their SHA-256, empty where it was not noted yet. */
export function storedFiles({
  file,
  digests,
}: Pick<TableRow<'image'>, 'file' | 'digests'>): readonly {
  readonly name: string
  readonly digest: string
}[] {
  const noted = digests.split(' ')
  return filesOf(file).map((name, i) => ({ name, digest: noted[i] ?? '' }))
}

/** The SHA-256 of a file, as it is noted beside it. */
export const digestOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** All files of a picture, from the name of the full one. */
export function filesOf(file: string): readonly string[] {
  const [, , width = '0', ending] = storedFile.exec(file) ?? []
  if (ending !== 'webp') return [file]
  const smaller = smallerWidths(Number(width))
  return [file, ...smaller.map((n) => file.replace(/\.webp$/, `-${n}.webp`))]
}
