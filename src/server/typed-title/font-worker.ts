import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import subsetFont from 'subset-font'
import type { ThreadAnswer } from '../thread.ts'

/* Runs beside the server (see `typed-title.ts`): is sent letters, answers with a font of them. */

const fontFile = '@fontsource/geist-mono/files/geist-mono-latin-500-normal.woff2'

let font: Promise<Uint8Array> | undefined

/** The base64 of a WOFF2. */
async function subset(letters: string): Promise<ThreadAnswer<string>> {
  try {
    // Resolved like any module, so it is found from the sources and from the built server alike.
    font ??= readFile(createRequire(import.meta.url).resolve(fontFile))
    const made = await subsetFont(await font, letters, { targetFormat: 'woff2' })
    return { value: Buffer.from(made).toString('base64') }
  } catch (error) {
    return { error: String(error) }
  }
}

parentPort?.on('message', (letters: string) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void subset(letters).then((answer) => parentPort?.postMessage(answer))
})
