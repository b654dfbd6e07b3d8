import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/** Matches a part of a font in the style sheets, with the letters that it has. */
const part = /url\('@fonts\/([\w-]+?)-(\w+)\.woff2'\)[^}]*?unicode-range:\s*([^;]+);/g
const sheets = ['src/client/styles/fonts.css', 'src/client/styles/rest.css']

const fonts: Readonly<Record<string, string>> = {
  'instrument-sans':
    '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
  'geist-mono': '@fontsource/geist-mono/files/geist-mono-latin-500-normal.woff2',
}

/** The names that the font's licence requires to stay: its owner, and the address of the licence. */
const licenceNames = [0, 14]

/** Browsers apply these features unasked; the site asks for no other, such as figures of one width. */
const usedFeatures = ['kern', 'liga', 'clig', 'rlig', 'calt']

/**
 * All weights keep the distances between letters of this one, in the middle of those in use. Distances that follow the weight
 * are a quarter of the font, and change the width of a line by a thousandth.
 */
const kernedWeight = 500

/**
 * Cuts the fonts into the parts that the style sheets name, so that a page in Spanish fetches only Spanish letters; a
 * browser fetches the others where a name has one.
 */
export function fontParts(isTest: boolean): Plugin {
  let folder = ''
  return {
    name: 'tintero:font-parts',
    // The server's half has no style sheets, and tests draw nothing.
    apply: (_, { isSsrBuild }) => !isSsrBuild && !isTest,
    config: ({ root = process.cwd() }) => {
      folder = join(root, 'node_modules/.vite/fonts')
      return { resolve: { alias: { '@fonts': folder } } }
    },
    buildStart: () => cutAll(folder),
  }
}

async function cutAll(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const sheet of sheets) {
    for (const [, font = '', name, range = ''] of (await readFile(sheet, 'utf8')).matchAll(part)) {
      const file = createRequire(import.meta.url).resolve(fonts[font] ?? font)
      const cut = await cutFont(await readFile(file), lettersOf(range))
      // Written as a whole and renamed, since two builds may run side by side.
      const whole = join(folder, `${font}-${name}.woff2`)
      await writeFile(`${whole}.${process.pid}`, cut)
      await rename(`${whole}.${process.pid}`, whole)
    }
  }
}

async function cutFont(whole: Buffer, letters: string): Promise<Uint8Array> {
  const kept = { preserveNameIds: licenceNames, keepFeatures: usedFeatures }
  const plain = { ...kept, targetFormat: 'truetype' } as const
  const cut = Buffer.from(await subsetFont(whole, letters, plain))
  const tables = tablesOf(cut)
  if (tables.has('fvar')) {
    const variationAxes = { wght: kernedWeight }
    const one = await subsetFont(whole, letters, { ...plain, variationAxes })
    const distances = tablesOf(Buffer.from(one)).get('GPOS')
    if (distances) tables.set('GPOS', distances)
  }
  // Cutting once more leaves out what only the replaced table needed.
  return subsetFont(fontOf(cut, tables), letters, { ...kept, targetFormat: 'woff2' })
}

/** How a font file begins: twelve bytes, then one entry of sixteen for each table. */
const headLength = 12
const entryLength = 16

function tablesOf(font: Buffer): Map<string, Buffer> {
  const count = font.readUInt16BE(4)
  return new Map(
    Array.from({ length: count }, (_, i) => {
      const entry = headLength + i * entryLength
      const start = font.readUInt32BE(entry + 8)
      const table = font.subarray(start, start + font.readUInt32BE(entry + 12))
      return [font.toString('latin1', entry, entry + 4), table]
    }),
  )
}

/** With as many tables as the font has; their checksums stay empty, as whoever cuts it once more writes them anew. */
function fontOf(font: Buffer, tables: ReadonlyMap<string, Buffer>): Buffer {
  const head = Buffer.from(font.subarray(0, headLength + tables.size * entryLength))
  const parts: Buffer[] = [head]
  let start = head.length
  for (const [i, table] of [...tables.values()].entries()) {
    const entry = headLength + i * entryLength
    head.writeUInt32BE(start, entry + 8)
    head.writeUInt32BE(table.length, entry + 12)
    const padding = Buffer.alloc(-table.length & 3)
    parts.push(table, padding)
    start += table.length + padding.length
  }
  return Buffer.concat(parts)
}

function lettersOf(range: string): string {
  return range
    .split(',')
    .flatMap((one) => {
      const [first = 0, last = first] = one
        .trim()
        .slice(2)
        .split('-')
        .map((code) => Number.parseInt(code, 16))
      return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i))
    })
    .join('')
}
