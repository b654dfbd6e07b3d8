import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/** How the style sheets name the part of a font that has the letters which they say beside it. */
const part = /url\('@fonts\/([\w-]+?)-(\w+)\.woff2'\)[^}]*?unicode-range:\s*([^;]+);/g
const sheets = ['src/client/styles/fonts.css', 'src/client/styles/rest.css']

const fonts: Readonly<Record<string, string>> = {
  'instrument-sans':
    '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
  'geist-mono': '@fontsource/geist-mono/files/geist-mono-latin-500-normal.woff2',
}

/** The names in a font that its licence wants to stay in it: whose it is, and where the licence is read. */
const licenceNames = [0, 14]

/**
 * Cuts the fonts in parts, as the style sheets tell them apart, so that a page in Spanish fetches the letters of Spanish; a
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
      const cut = await subsetFont(await readFile(file), lettersOf(range), {
        targetFormat: 'woff2',
        preserveNameIds: licenceNames,
      })
      // Whole at once, since two builds may run side by side.
      const whole = join(folder, `${font}-${name}.woff2`)
      await writeFile(`${whole}.${process.pid}`, cut)
      await rename(`${whole}.${process.pid}`, whole)
    }
  }
}

/** All letters of a `unicode-range`. */
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
