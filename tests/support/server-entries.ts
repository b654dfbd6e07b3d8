import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { threadEntries, unbundled } from '#build/server-bundle.ts'

/*
 * Bundles the servers and the command that tests start and kill many times: from the sources each start reads and strips hundreds of
 * files, which takes four times as long. Built by Vitest before the first test file, from the sources as they are then.
 */

const entries = {
  'calls-server': 'tests/support/calls-server.ts',
  'site-server': 'tests/support/site-server.ts',
  cli: 'src/server/cli.ts',
} as const

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the bundled servers are. */
    serverFolder: string
  }
}

/** The file to start. */
export const serverEntry = (name: keyof typeof entries): string =>
  join(inject('serverFolder'), `${name}.js`)

/** Vitest's global set-up: provides `serverFolder` to every test file and returns how to remove it. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  // Only here: every test file that starts a server imports this module, too.
  const { build } = await import('vite')
  const folder = mkdtempSync(join(tmpdir(), 'tintero-servers-'))
  // The packages stay where they are: the server finds them above its folder.
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  symlinkSync(resolve('package.json'), join(folder, 'package.json'))
  // As deep as the product's own, which reads its version from there.
  const outDir = join(folder, 'dist/server')
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: {
      noExternal: true,
      external: unbundled,
    },
    build: {
      ssr: true,
      outDir,
      target: 'node24',
      minify: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: { ...threadEntries, ...entries },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  provide('serverFolder', outDir)
  return () => rmSync(folder, { recursive: true })
}
