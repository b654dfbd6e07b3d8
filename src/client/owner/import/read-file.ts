import type { FileEntry } from '@zip.js/zip.js/lib/zip-core-custom.js'
import { strFromU8 } from 'fflate'
import { parse } from 'papaparse'
import { beginsAsJson, encodingOf } from '#contract/resume/file-encoding.ts'
import { keepable, type Keepable } from '#contract/resume/keepable.ts'
import { depthOf } from '#contract/resume/kept.ts'
import {
  linkedInFiles,
  linkedInResume,
  type CsvRow,
  type LinkedInFile,
} from '#contract/resume/linkedin.ts'
import { deepestResume, isResume, type Resume } from '#contract/resume/resume.ts'
import { fill, locale } from '#contract/text.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { importTexts } from '#contract/texts/import.ts'
import { attachedTo } from './pdf-attachments.ts'
import { contentOf, filesIn, pause } from './unpack.ts'

/** Why a file cannot be brought in, in words. */
export class FileRefused extends Error {
  readonly hint: string
  constructor(title: string, hint: string) {
    super(title)
    this.hint = hint
  }
}

/** What was found in a file. */
export interface Found extends Keepable {
  readonly name: string
  readonly source: 'linkedIn' | 'resume'
  /** How many files of it are read, and the names of those that could not be. */
  readonly files: number
  readonly damaged: readonly string[]
}

interface Reading {
  readonly signal: AbortSignal
  /** Told each file inside as it is begun. */
  readonly onPart: (progress: Progress) => void
}

/** How far a file of several is read. */
export interface Progress {
  /** The one that is being read. */
  readonly part: LinkedInFile
  /** How many lines those before it have. */
  readonly counts: Readonly<Partial<Record<LinkedInFile, number>>>
  /** How many it has in all. */
  readonly files: number
}

const megabyte = 1_000_000
const largestZip = 100 * megabyte
const largestText = 5 * megabyte
const largestPdf = 20 * megabyte
/** No person's tables are near that; a file that says so is made to fill the memory, or to hold up the page that reads it. */
const largestTable = 2 * megabyte
/** LinkedIn's tables have up to a dozen columns, and a person's some hundreds of lines. */
const mostColumns = 200
const mostLines = 20_000
/** How much of a table tells what divides its columns: to find out, its reader reads what it is given several times. */
const telling = 4000

/** Reads a file on this device. Throws `FileRefused` for whatever cannot be brought in, and nothing has changed then. */
export async function readFile(file: File, reading: Reading): Promise<Found> {
  const start = await bytesOf(file.slice(0, 8), file.name)
  if (startsWith(start, 'PK')) return readZip(file, reading)
  const { name } = file
  if (startsWith(start, '%PDF')) return readPdf(file, reading)
  if (file.size > largestText) throw tooLarge(file, largestText, importTexts.tooLargeFile)
  const bytes = await bytesOf(file, name)
  const text = textOf(bytes)?.replace(/^\ufeff/, '')
  if (text === undefined && beginsAsJson(bytes)) {
    throw refused(importTexts.notUtf8, importTexts.notUtf8Hint, { name })
  }
  if (text === undefined || !/^\s*[[{]/.test(text)) {
    throw refused(importTexts.unknown, importTexts.unknownHint, { name })
  }
  return { name, source: 'resume', ...parseResume(text, name), files: 1, damaged: [] }
}

/** The résumé that a CV of this product carries. */
async function readPdf(file: File, { signal }: Reading): Promise<Found> {
  const { name } = file
  if (file.size > largestPdf) throw tooLarge(file, largestPdf, importTexts.tooLargeFile)
  const { attached, isEncrypted } = await attachedTo(await bytesOf(file, name), signal)
  const text = attached.map(textOf).find((one) => one !== undefined && /^\s*\{/.test(one))
  if (text !== undefined) {
    return { name, source: 'resume', ...parseResume(text, name), files: 1, damaged: [] }
  }
  if (isEncrypted) throw refused(importTexts.encrypted, importTexts.encryptedHint, { name })
  throw refused(importTexts.pdf, importTexts.pdfHint, { name })
}

function refused(title: string, hint: string, values: Readonly<Record<string, string | number>>) {
  return new FileRefused(fill(title, values), fill(hint, values))
}

/** The size as people say it. */
export function sizeText(bytes: number): string {
  const isLarge = bytes >= megabyte
  const n = (isLarge ? bytes / megabyte : Math.max(1, bytes / 1000)).toLocaleString(locale, {
    maximumFractionDigits: isLarge && bytes < 10 * megabyte ? 1 : 0,
  })
  return fill(isLarge ? copiesTexts.megabytes : copiesTexts.kilobytes, { n })
}

function tooLarge({ name, size }: File, limit: number, hint: string): FileRefused {
  const values = { name, size: sizeText(size), limit: sizeText(limit) }
  return refused(importTexts.tooLarge, hint, values)
}

function startsWith(bytes: Uint8Array, mark: string): boolean {
  return strFromU8(bytes.subarray(0, mark.length), true) === mark
}

async function bytesOf(file: Blob, name: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch (cause) {
    const error = refused(importTexts.unreadable, importTexts.unreadableHint, { name })
    error.cause = cause
    throw error
  }
}

/** The text of UTF-8, or of UTF-16 with its mark; undefined for anything else. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parseResume(text: string, name: string): Keepable {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw isCutOff(text)
      ? refused(importTexts.cutOff, importTexts.cutOffLine, {
          name,
          line: text.trimEnd().split('\n').length,
        })
      : refused(importTexts.notResume, importTexts.notResumeHint, { name })
  }
  if (!isResume(value)) throw refused(importTexts.notResume, importTexts.notResumeHint, { name })
  if (depthOf(text) > deepestResume) throw tooLargeToKeep(name)
  return kept(value, name)
}

function kept(resume: Resume, name: string): Keepable {
  const found = keepable(resume)
  if (!found) throw tooLargeToKeep(name)
  return found
}

const tooLargeToKeep = (name: string) =>
  refused(importTexts.tooLarge, importTexts.tooLargeItem, { name })

/** Whether a bracket is open at its end: the rest of it is missing. */
function isCutOff(text: string): boolean {
  // A text that is open at its end counts too, or each of its quotes would be looked for again from there on.
  const bare = text.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, '')
  return (bare.match(/[[{]/g) ?? []).length > (bare.match(/[\]}]/g) ?? []).length
}

async function readZip(file: File, { signal, onPart }: Reading): Promise<Found> {
  const { name } = file
  if (file.size > largestZip) throw tooLarge(file, largestZip, importTexts.tooLargeCopy)
  const inside = await tablesIn(await bytesOf(file, name), name)
  const tables: Partial<Record<LinkedInFile, readonly CsvRow[]>> = {}
  const counts: Partial<Record<LinkedInFile, number>> = {}
  const damaged: string[] = []
  for (const part of linkedInFiles) {
    const entry = inside.get(part.name)
    if (!entry) continue
    onPart({ part: part.name, counts: { ...counts }, files: inside.size })
    await pause(signal)
    const content = await contentOf(entry, signal)
    const lines = content && linesOf(content, part.column)
    if (!lines) damaged.push(fileOf(entry.filename))
    tables[part.name] = lines ?? []
    counts[part.name] = lines?.length ?? 0
  }
  const isLinkedIn = 'profile.csv' in tables || 'positions.csv' in tables
  if (!isLinkedIn) throw refused(importTexts.notLinkedIn, importTexts.notLinkedInHint, { name })
  if (damaged.length === Object.keys(tables).length) {
    throw refused(importTexts.cutOff, importTexts.cutOffHint, { name })
  }
  const files = Object.keys(tables).length
  return { name, source: 'linkedIn', ...kept(linkedInResume(tables), name), files, damaged }
}

const isTable = ({ filename }: FileEntry) =>
  linkedInFiles.some((part) => part.name === keyOf(filename))

/** The tables of a ZIP by their names, still packed. */
async function tablesIn(bytes: Uint8Array, name: string): Promise<ReadonlyMap<string, FileEntry>> {
  let files: readonly FileEntry[]
  try {
    files = await filesIn(bytes)
  } catch (cause) {
    const error = refused(importTexts.cutOff, importTexts.cutOffHint, { name })
    error.cause = cause
    throw error
  }
  const tables = files.filter(isTable)
  // Folders are never encrypted, and what else lies there does not matter, unless it is all there is.
  if ((tables.length > 0 ? tables : files).some(({ encrypted }) => encrypted)) {
    throw refused(importTexts.encrypted, importTexts.encryptedHint, { name })
  }
  // All of them together: a ZIP may name one table as often as it likes. No more than this is unpacked of any.
  const total = tables.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (total > largestTable) {
    const limit = sizeText(largestTable)
    throw refused(importTexts.tooLarge, importTexts.tooLargeInside, { name, limit })
  }
  return new Map(tables.map((entry) => [keyOf(entry.filename), entry]))
}

const fileOf = (path: string) => path.split('/').at(-1) ?? path

/** The table's name, whatever folder it is in and however it is written. */
function keyOf(path: string): string {
  return fileOf(path).toLowerCase().replace(/_/g, ' ')
}

/** The lines of a table; undefined where it is damaged. */
function linesOf(bytes: Uint8Array, column: string): readonly CsvRow[] | undefined {
  const text = textOf(bytes)
  if (text === undefined || text.includes('\0')) return undefined
  const table = text.replace(/^\ufeff/, '')
  const { data, errors, meta } = parse<readonly string[]>(table, {
    delimiter: parse(table.slice(0, telling)).meta.delimiter,
    skipEmptyLines: 'greedy',
    preview: mostLines,
  })
  const [titles = [], ...lines] = data
  const isTooLarge = meta.truncated || titles.length > mostColumns
  if (isTooLarge || errors.some(({ type }) => type === 'Quotes')) return undefined
  const names = titles.map((title) => title.trim().toLowerCase())
  if (!names.includes(column)) return undefined
  // By what a line says: it may say less than there are columns, or more. Of two with one title the first counts.
  return lines.map((line) =>
    Object.fromEntries(
      line
        .slice(0, names.length)
        .map((said, place) => [names[place] ?? '', said] as const)
        .toReversed(),
    ),
  )
}
