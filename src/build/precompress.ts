import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = new Set(['.js', '.css', '.svg', '.json', '.webmanifest', '.txt'])

/** The server never compresses a file of the build while answering. */
export function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'tintero:precompress',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved: (config) => void (outDir = config.build.outDir),
    closeBundle: {
      order: 'post',
      sequential: true,
      handler: () => compressAll(outDir),
    },
  }
}

const compress = promisify(brotliCompress)

async function compressAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !compressible.has(extname(entry.name))) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = await readFile(file)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    const small = await compress(bytes, { params })
    if (small.length < bytes.length) await writeFile(`${file}.br`, small)
  }
}
