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
  /** Whether only the owner's devices keep the file. */
  readonly isOwners: ChunkList['isOwners']
  /** Whether no page needs the file at its first visit. */
  readonly isLater: ChunkList['isLater']
}

/** Puts the list of this build's files into `sw/sw.ts`; the page registers it and the server writes the manifest. */
export function workerBuild({
  isRetired,
  pushesByFirebase,
  isOwners,
  isLater,
}: WorkerBuild): (Plugin | Plugin[])[] {
  // A test's build goes to another folder.
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
      // Lists the placeholders and the header's icon; other pictures are kept as they are seen.
      globPatterns: ['index.html', 'assets/**/*.{js,css,json,woff2}', '*.svg'],
      // Leaves out files of no use without a connection, and letters that hardly any Spanish site shows, which are kept
      // where one does.
      globIgnores: ['assets/online-*', 'assets/*-{further,latin-ext}-*'],
      manifestTransforms: [
        async (entries) => {
          const { hers = [], everybodys = [] } = Object.groupBy(entries, ({ url }) =>
            isOwners(url) ? 'hers' : 'everybodys',
          )
          // As much of a hash tells two versions of a file apart.
          const own = everybodys.map((entry) => ({
            ...entry,
            revision: entry.revision?.slice(0, 7) ?? null,
          }))
          const notFirst = own.filter(({ url }) => isLater(url) || url.endsWith('.svg'))
          const together = [
            await writeTogether(outDir, 'later', notFirst),
            await writeTogether(outDir, 'owner', hers),
          ]
          return { manifest: [...own, ...together], warnings: [] }
        },
      ],
    },
    integration: {
      configureCustomSWViteBuild: (config) => {
        if (pushesByFirebase) config.resolve = { alias: { '#sw-push': firebasePush } }
        bundleAsOneFile(config)
        config.plugins = [...(config.plugins ?? []), withoutVersionMarks]
      },
    },
  })
  return [place, ...worker]
}

/** Joins these files into one, by their paths, so that the worker need not fetch many small ones. */
async function writeTogether(
  outDir: string,
  name: string,
  files: readonly { readonly url: string }[],
) {
  const texts = files.map(
    async ({ url }) => [url, await readFile(join(outDir, url), 'utf8')] as const,
  )
  const all = JSON.stringify(Object.fromEntries(await Promise.all(texts)))
  const hash = createHash('sha256').update(all).digest('base64url').slice(0, 7)
  const url = `assets/${name}-${hash}.json`
  await writeFile(join(outDir, url), all)
  return { url, revision: null, size: all.length }
}

const firebasePush = new URL('../../sw/push-firebase.ts', import.meta.url).pathname

/** Workbox marks its versions for whoever counts them on the web; they do nothing else, and every device would fetch them. */
const withoutVersionMarks: Plugin = {
  name: 'tintero:no-version-marks',
  load: (id) => (/\/workbox-[a-z-]+\/_version\.js$/.test(id) ? 'export {}' : null),
}

/** The plugin asks for one file by a name of the option that this Vite warns about. */
function bundleAsOneFile({ build }: InlineConfig): void {
  // oxlint-disable-next-line typescript/no-deprecated -- the name the plugin fills
  const output = build?.rollupOptions?.output
  if (!output || Array.isArray(output)) throw new Error('the worker build has no single output')
  // oxlint-disable-next-line typescript/no-deprecated -- what is replaced
  delete output.inlineDynamicImports
  output.codeSplitting = false
}
