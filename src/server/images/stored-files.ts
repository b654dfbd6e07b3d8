import { hash } from 'node:crypto'
import { smallerWidths } from '#contract/images/image.ts'
import type { TableRow } from '../db/tables.ts'

/* The names of a picture's files, and their digests from when they were stored. */

const storedFile = /^([0-9a-f]{40})\.(\d{1,5})x\d{1,5}(?:-\d{1,4})?\.(webp|svg)$/

/** Undefined where the name is no picture's. */
export const hashIn = (file: string): string | undefined => storedFile.exec(file)?.[1]

/** Empty where the name is no picture's. */
export const endingOf = (file: string): string => storedFile.exec(file)?.[3] ?? ''

/** With their SHA-256, empty where it was not noted yet. */
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

/** SHA-256, in hexadecimal. */
export const digestOf = (bytes: Uint8Array): string => hash('sha256', bytes)

/** Takes the name of the full file; empty where it is no picture's, which a backup made by hand may say. */
export function filesOf(file: string): readonly string[] {
  const [, , width = '0', ending] = storedFile.exec(file) ?? []
  if (ending === undefined) return []
  if (ending === 'svg') return [file]
  const smaller = smallerWidths(Number(width))
  return [file, ...smaller.map((n) => file.replace(/\.webp$/, `-${n}.webp`))]
}
