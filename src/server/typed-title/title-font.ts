import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import subsetFont from 'subset-font'
import { createRecent } from './recent.ts'

const fontFile = '@fontsource/geist-mono/files/geist-mono-latin-500-normal.woff2'

/** Makes subsets of Geist Mono; those made last are remembered by the letters they hold. */
export function createTitleFont(): (text: string) => Promise<string> {
  const recent = createRecent<string>(50)
  let font: Promise<Uint8Array> | undefined
  return (text) => {
    const letters = [...new Set(text)].toSorted().join('')
    return recent(letters, async () => {
      // Resolved like any module, so it is found from the sources and from the built server alike.
      font ??= readFile(createRequire(import.meta.url).resolve(fontFile))
      const subset = await subsetFont(await font, letters, { targetFormat: 'woff2' })
      return Buffer.from(subset).toString('base64')
    })
  }
}
