import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openBucket } from './bucket.ts'
import { openFolder } from './folder.ts'

interface NamedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Where the files of pictures lie: each is complete or absent, whenever the power goes. */
export interface PictureFiles {
  /** What a person would call the place: a path or an address. */
  readonly place: string
  /** Whether each question goes to another machine. */
  readonly isRemote: boolean
  /** Keeps the files, replacing those of the same name; what returns is durable. */
  write(files: readonly NamedFile[]): Promise<void>
  read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  has(name: string): Promise<boolean>
  /** All files, and when each was written. */
  list(): Promise<readonly { readonly name: string; readonly at: Date }[]>
  remove(names: readonly string[]): Promise<void>
  /** Removes what interrupted writes before the moment left behind. */
  sweepUnfinished(before: Date): Promise<void>
}

/** The bucket that the operator named, else a folder beside the database. */
export function openPictureFiles({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): PictureFiles {
  return s3 ? openBucket(s3) : openFolder(join(dataDir, 'media'))
}
