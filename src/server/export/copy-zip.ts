import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { CopyFile } from './site-copy.ts'

/** The moment all files tell: the same content gives the same bytes. It is the first that the format knows, in any time zone. */
const moment = new Date(1980, 0, 1)

/** The files as a ZIP that is made while it is read; a file that cannot be read breaks it off. */
export function zipOf(files: readonly CopyFile[]): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  const how = { mtime: moment, mode: 0o100644, forceDosTimestamp: true }
  for (const { name, isText, read } of files) {
    zip.addReadStreamLazy(name, { ...how, compress: isText }, (open) => {
      read().then(
        (bytes) => open(null, Readable.from([bytes], { objectMode: false })),
        (error: unknown) => open(error, Readable.from([])),
      )
    })
  }
  zip.end()
  return output
}
