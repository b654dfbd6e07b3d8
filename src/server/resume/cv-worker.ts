import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import subsetFont from 'subset-font'
import type { ThreadAnswer } from '../thread.ts'
import { drawCv, type CvOrder } from './draw-cv.ts'
import type { Faces } from './lettering.ts'

/* Runs beside the server (see `cv-pdf.ts`): is sent what a CV says, answers with the PDF of it. */

const sans = '@fontsource-variable/instrument-sans/files/instrument-sans-'
const mono = '@fontsource/geist-mono/files/geist-mono-'

let faces: Promise<Faces> | undefined

/** The site's fonts as the PDF library reads them: of one weight, and not packed for the web. */
async function loadFaces(): Promise<Faces> {
  // The other font of the site has letters that its text font lacks.
  const [text, strong, code] = await Promise.all([
    Promise.all([face(latin, sansOf, { wght: 400 }), face(further, monoOf(400))]),
    Promise.all([face(latin, sansOf, { wght: 650 }), face(further, monoOf(600))]),
    Promise.all([face(latin, monoOf(500)), face(further, monoOf(500))]),
  ])
  return { text: text.flat(), strong: strong.flat(), mono: code.flat() }
}

const latin = ['latin', 'latin-ext']
const further = ['cyrillic', 'cyrillic-ext', 'vietnamese']
const sansOf = (letters: string) => `${sans}${letters}-wght-normal.woff2`
const monoOf = (weight: number) => (letters: string) => `${mono}${letters}-${weight}-normal.woff2`

function face(
  parts: readonly string[],
  fileOf: (letters: string) => string,
  variationAxes: Readonly<Record<string, number>> = {},
): Promise<readonly Uint8Array[]> {
  const require = createRequire(import.meta.url)
  return Promise.all(
    parts.map(async (letters) => {
      const file = await readFile(require.resolve(fileOf(letters)))
      return subsetFont(file, everyLetter, { targetFormat: 'truetype', variationAxes })
    }),
  )
}

/** Whatever the fonts may have: what they lack is left out of them by itself. */
const everyLetter = [
  [0x20, 0x36f],
  [0x400, 0x52f],
  [0x1e00, 0x22ff],
].reduce((all, [first = 0, last = 0]) => {
  const codes = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  return all + String.fromCodePoint(...codes)
}, '')

async function draw(order: CvOrder): Promise<ThreadAnswer<Uint8Array>> {
  try {
    faces ??= loadFaces()
    return { value: await drawCv(order, await faces) }
  } catch (error) {
    faces = undefined
    return { error: String(error instanceof Error ? error.stack : error) }
  }
}

parentPort?.on('message', (order: CvOrder) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void draw(order).then((answer) => parentPort?.postMessage(answer))
})
