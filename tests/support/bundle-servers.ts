import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { threadEntries, unbundled } from '#build/server-bundle.ts'

interface BundledServers {
  /** Where each of them is a file of its name. */
  readonly folder: string
  remove(): void
}

/**
 * Bundles programs of the tests with the server that they are about, from the sources as they are now: started from the sources
 * they would read and strip hundreds of files each time, which takes four times as long.
 */
export async function bundleServers(
  entries: Readonly<Record<string, string>>,
): Promise<BundledServers> {
  // Only here: every test file that starts a server imports this module, too.
  const { build } = await import('vite')
  const root = mkdtempSync(join(tmpdir(), 'tintero-servers-'))
  // The packages stay where they are: the server finds them above its folder.
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  symlinkSync(resolve('package.json'), join(root, 'package.json'))
  // As deep as the product's own, which reads its version from there.
  const folder = join(root, 'dist/server')
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: {
      noExternal: true,
      external: unbundled,
    },
    build: {
      ssr: true,
      outDir: folder,
      target: 'node24',
      minify: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: { ...threadEntries, ...entries },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  return { folder, remove: () => rmSync(root, { recursive: true }) }
}
