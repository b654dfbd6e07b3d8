import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openBucket } from './bucket.ts'
import { openFolder } from './folder.ts'

interface NamedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Each file is complete or absent, even after a power failure. */
export interface PictureFiles {
  /** The name of the place for people: a path or an address. */
  readonly place: string
  /** Whether each operation goes to another machine. */
  readonly isRemote: boolean
  /** Replaces files of the same name; the files are durable once it resolves. */
  write(files: readonly NamedFile[]): Promise<void>
  read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  has(name: string): Promise<boolean>
  /** With the moment each was written. */
  list(): Promise<readonly { readonly name: string; readonly at: Date }[]>
  remove(names: readonly string[]): Promise<void>
  /** Does nothing where there is no such file; replaces one of the other name. */
  rename(name: string, other: string): Promise<void>
  /** Removes what interrupted writes left; one of this hour may still go on. */
  sweepUnfinished(now: Date): Promise<void>
}

/** The bucket that the operator named, else a folder beside the database. */
export function openPictureFiles({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): PictureFiles {
  return s3 ? openBucket(s3) : openFolder(join(dataDir, 'media'))
}
