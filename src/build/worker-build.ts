import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { InlineConfig, Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import type { ChunkList } from './chunks.ts'

interface WorkerBuild {
  /** Builds a worker that removes itself from every device. */
  readonly isRetired: boolean
  /** Whether Firebase delivers the notifications. */
  readonly pushesByFirebase: boolean
  /** Which of the build's files the worker fetches for everybody. */
  readonly listed: ChunkList['forVisitors']
  /** Which of them no page needs at its first visit. */
  readonly isLater: ChunkList['isLater']
}

/** Builds `sw/sw.ts` with the list of this build's files in it; the page registers it and the server writes the manifest. */
export function workerBuild({
  isRetired,
  pushesByFirebase,
  listed,
  isLater,
}: WorkerBuild): (Plugin | Plugin[])[] {
  // A build of a test goes elsewhere.
  let outDir = ''
  const place: Plugin = {
    name: 'tintero:worker-place',
    configResolved: ({ build }) => void (outDir = build.outDir),
  }
  const worker = VitePWA({
    strategies: 'injectManifest',
    srcDir: 'sw',
    filename: 'sw.ts',
    injectRegister: false,
    manifest: false,
    selfDestroying: isRetired,
    injectManifest: {
      // The placeholders and the icon of the header; other pictures are kept as they are seen.
      globPatterns: ['index.html', 'assets/**/*.{js,css,json,woff2}', '*.svg'],
      // Of no use without a connection; and letters that hardly a Spanish site shows, kept where one does.
      globIgnores: ['assets/online-*', 'assets/*-{further,latin-ext}-*'],
      manifestTransforms: [
        async (entries) => {
          const own = listed(entries)
          const later = await writeLater(outDir, own.map(({ url }) => url).filter(isLater))
          return { manifest: [...own, later], warnings: [] }
        },
      ],
    },
    integration: {
      configureCustomSWViteBuild: (config) => {
        if (pushesByFirebase) config.resolve = { alias: { '#sw-push': firebasePush } }
        bundleAsOneFile(config)
      },
    },
  })
  return [place, ...worker]
}

/** Puts these files into one, by their paths: the worker fetches many that are small. */
async function writeLater(outDir: string, files: readonly string[]) {
  const texts = files.map(
    async (file) => [file, await readFile(join(outDir, file), 'utf8')] as const,
  )
  const all = JSON.stringify(Object.fromEntries(await Promise.all(texts)))
  const hash = createHash('sha256').update(all).digest('base64url').slice(0, 7)
  const url = `assets/later-${hash}.json`
  await writeFile(join(outDir, url), all)
  return { url, revision: null, size: all.length }
}

const firebasePush = new URL('../../sw/push-firebase.ts', import.meta.url).pathname

/** The plugin asks for one file by a name of the option that this Vite warns about. */
function bundleAsOneFile({ build }: InlineConfig): void {
  // oxlint-disable-next-line typescript/no-deprecated -- the name the plugin fills
  const output = build?.rollupOptions?.output
  if (!output || Array.isArray(output)) throw new Error('the worker build has no single output')
  // oxlint-disable-next-line typescript/no-deprecated -- what is replaced
  delete output.inlineDynamicImports
  output.codeSplitting = false
}
