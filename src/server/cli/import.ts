import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { beginsAsJson, encodingOf } from '#contract/resume/file-encoding.ts'
import { depthOf } from '#contract/resume/kept.ts'
import { deepestResume, isResume, type Resume } from '#contract/resume/resume.ts'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { importTexts } from '#contract/texts/import.ts'
import { refusalOf } from '../disk/disk.ts'
import type { Config } from '../config.ts'
import { transact } from '../db/transact.ts'
import { importResume } from '../resume/import-resume.ts'
import type { CommandResult } from './commands.ts'
import { withSite } from './open-site.ts'

/** Larger than any résumé. */
const mostBytes = 5_000_000

/** Works beside the running server or without it. */
export async function importFile(config: Config, file: string, now: Date): Promise<CommandResult> {
  const resume = await readResumeFile(file)
  const done = await withSite(config.database, (db) =>
    transact(db, (t) => importResume(t, resume, now)),
  )
  const { added, combined, left, unfit, isPictureLeft } = done
  const said = fill(cliTexts.imported, { name: basename(file), added, combined, left })
  const lines = [
    said,
    ...(unfit.length > 0 ? [fill(cliTexts.importUnfit, { names: unfit.join(', ') })] : []),
    ...(isPictureLeft ? [importTexts.pictureLeft] : []),
  ]
  return { code: 0, lines }
}

/** Throws, with a sentence for a person, for anything but a résumé. */
async function readResumeFile(file: string): Promise<Resume> {
  const name = basename(file)
  const refused = (title: string) => new Error(`${fill(title, { name })}.`)
  const bytes = await bytesOf(file)
  if (bytes.subarray(0, 2).toString() === 'PK') throw new Error(fill(cliTexts.importZip, { name }))
  const text = textOf(bytes)
  if (text === undefined && beginsAsJson(bytes)) throw refused(importTexts.notUtf8)
  if (text === undefined || depthOf(text) > deepestResume) throw refused(importTexts.notResume)
  const value = parse(text)
  if (!isResume(value)) throw refused(importTexts.notResume)
  return value
}

async function bytesOf(file: string): Promise<Buffer> {
  const unread = (cause: unknown): never => {
    throw new Error(fill(cliTexts.noFile, { file, message: refusalOf(cause) }), { cause })
  }
  const { size } = await stat(file).catch(unread)
  if (size > mostBytes) throw new Error(`${fill(importTexts.tooLarge, { name: basename(file) })}.`)
  return readFile(file).catch(unread)
}

/** The text of UTF-8 or of UTF-16, without the mark that it may begin with; undefined for anything else. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no JSON
  }
}
