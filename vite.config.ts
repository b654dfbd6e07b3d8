import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import type { TestSpecification } from 'vitest/node'
import { builtWith } from './src/build/built-with.ts'
import { chunkFileName, chunkList, chunks } from './src/build/chunks.ts'
import { fontParts } from './src/build/fonts.ts'
import { deferAssets, inlineSheets } from './src/build/page-template.ts'
import { precompress } from './src/build/precompress.ts'
import { threadEntries, unbundled } from './src/build/server-bundle.ts'
import { symbolSheet } from './src/build/symbols.ts'
import { stamped } from './src/build/stamp.ts'
import { workerBuild } from './src/build/worker-build.ts'
import { readFirebase } from './src/contract/firebase.ts'
import { publicKinds } from './src/contract/offline/public-kinds.ts'

/** Settings of the build: where the API is, and the external address that takes contact messages (empty: the API itself). */
const apiBase = process.env['VITE_API_BASE'] || '/api/'
const contactUrl = process.env['VITE_CONTACT_URL'] || ''
/** `off` builds a worker that removes itself from every device, for when a broken one is out there: see sw/README.md. */
const worker = process.env['VITE_WORKER'] || 'on'
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as {
  readonly version: string
}
/** Which services of Firebase the site uses; without its variables there is nothing of it in the build. */
const firebase = readFirebase(process.env)
const services = firebase?.services ?? []
/** Which parts of this build are whose. */
const parts = chunkList()

const playsHistories = ({ project }: TestSpecification) => project.name === 'simulation'

/**
 * Begins with the histories, which are one file and a third of all the work beside them: left to itself Vitest goes by the
 * projects' names, and at the end one core would play histories while the others have nothing to do.
 */
async function longestFirst() {
  const { BaseSequencer } = await import('vitest/node')
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]) {
      // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own, which changes nothing
      const sorted = await super.sort(files)
      return [...sorted.filter(playsHistories), ...sorted.filter((file) => !playsHistories(file))]
    }
  }
}

/** Made for tests alone: a build would wait for Vitest. */
const sequencer = 'VITEST' in process.env ? await longestFirst() : undefined
/**
 * Which files do not run as a pair of processes on one PostgreSQL, and why: whatever is not there does, new files too. What starts
 * servers of its own says there on which database, and most run on both already. Where the product alone is built there are no tests.
 */
const pairList = join(import.meta.dirname, 'tests/api/not-paired.json')
const notPaired = existsSync(pairList) ? readFileSync(pairList, 'utf8') : '{}'

/** How long a test may take, in milliseconds: only what hangs fails by it, never a machine that is busy. */
const brief = {
  testTimeout: 30_000,
  hookTimeout: 30_000,
  // What is waited for comes when it comes, as in the journeys: left to itself a poll gives up after a second.
  expect: { poll: { timeout: 15_000 } },
}
/** The same where servers, databases or browsers are started. */
const patient = { ...brief, testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig(({ command, isSsrBuild }) => ({
  appType: 'custom',
  plugins: [
    react(),
    fontParts('VITEST' in process.env),
    inlineSheets(),
    symbolSheet(),
    deferAssets([apiBase, contactUrl]),
    builtWith(firebase),
    parts.plugin,
    stamped(process.env),
    workerBuild({
      isRetired: worker === 'off',
      pushesByFirebase: services.includes('push'),
      isOwners: parts.isOwners,
      isLater: parts.isLater,
    }),
    precompress(),
  ],
  resolve: {
    // The router's store asks for a stand-in for older Reacts; this one has the hook itself.
    alias: {
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
  define: {
    'import.meta.env.VITE_API_BASE': JSON.stringify(apiBase),
    'import.meta.env.VITE_CONTACT_URL': JSON.stringify(contactUrl),
    'import.meta.env.VITE_WORKER': JSON.stringify(worker),
    'import.meta.env.VITE_VERSION': JSON.stringify(version),
    // Empty texts where a service is not used: what asks for it is then left out.
    'import.meta.env.VITE_FIREBASE_OPTIONS': JSON.stringify(firebase?.options ?? ''),
    'import.meta.env.VITE_FIREBASE_PUSH': JSON.stringify(firebase?.vapidKey ?? ''),
    'import.meta.env.VITE_FIREBASE_IMAGES': JSON.stringify(services.includes('images') ? 'on' : ''),
    'import.meta.env.VITE_FIREBASE_CONFIG': JSON.stringify(services.includes('config') ? 'on' : ''),
    'import.meta.env.VITE_PUBLIC_KINDS': JSON.stringify(publicKinds),
    // React's server code asks at run time; deciding here keeps its development half out of the bundle.
    ...(isSsrBuild && { 'process.env.NODE_ENV': JSON.stringify('production') }),
  },
  ssr:
    command === 'build'
      ? {
          noExternal: true,
          external: unbundled,
        }
      : {},
  build: isSsrBuild
    ? {
        ssr: true,
        license: true,
        outDir: 'dist/server',
        target: 'node24',
        copyPublicDir: false,
        rolldownOptions: {
          input: {
            main: 'src/server/main.ts',
            cli: 'src/server/cli.ts',
            'entry-server': 'src/client/entry-server.tsx',
            ...threadEntries,
          },
          // All in one folder, where a thread's file is found beside whatever starts it.
          output: { chunkFileNames: '[name]-[hash].js' },
        },
      }
    : {
        license: true,
        outDir: 'dist/client',
        target: 'es2022',
        // Since 2024 all of them know light-dark() and nesting; lowering both would add a tenth to every page.
        cssTarget: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
        assetsInlineLimit: 0,
        modulePreload: {
          polyfill: false,
          // Lists of what each part of the owner's code needs would travel to every visitor; the worker has it all at hand.
          resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')),
        },
        // Says which chunks belong to what; hidden, so it is not served.
        manifest: true,
        rolldownOptions: {
          output: {
            codeSplitting: { groups: chunks },
            chunkFileNames: chunkFileName,
            entryFileNames: 'assets/[name]-[hash:6].js',
            assetFileNames: 'assets/[name]-[hash:6][extname]',
          },
        },
      },
  test: {
    // Left to itself Vitest keeps one core free, which on two is half of them; and servers that are waited for need none.
    // A share in percent would end at the number of cores.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    ...(sequencer && { sequence: { sequencer } }),
    tags: [
      {
        name: 'long',
        description: 'Minutes of killing, filling and waiting, for `npm run test:all`.',
      },
    ],
    projects: [
      { test: { ...brief, name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'] } },
      {
        test: {
          ...patient,
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          globalSetup: ['tests/support/postgres.ts', 'tests/support/server-entries.ts'],
        },
      },
      {
        // What must hold although the next call reaches another process of the site: the same tests, on two of them.
        test: {
          ...patient,
          name: 'pair',
          include: ['tests/api/*.test.ts'],
          exclude: Object.keys(JSON.parse(notPaired) as object).map(
            (name) => `tests/api/${name}.test.ts`,
          ),
          globalSetup: 'tests/support/postgres.ts',
          setupFiles: 'tests/support/asked-in-turns.ts',
          // Nothing that they import is changed by them, and importing the server anew for each costs more than its tests.
          isolate: false,
          env: { TINTERO_API: 'pair' },
        },
      },
      {
        test: {
          ...brief,
          name: 'worker',
          include: ['tests/worker/**/*.test.ts'],
          // The worker's libraries log through `self` in development, which Node does not have.
          env: { NODE_ENV: 'production' },
        },
      },
      {
        test: {
          ...patient,
          name: 'simulation',
          include: ['tests/simulation/*.test.ts'],
          execArgv: [
            // Each history leaves a dozen pages with globals of their own, which V8 lets lie until the memory is full.
            '--max-old-space-size=512',
            '--expose-gc',
            // A page lives too briefly for what is optimised in it; what all of them share is compiled once, and kept.
            '--no-turbofan',
            '--no-maglev',
            '--always-sparkplug',
            '--no-flush-bytecode',
            // Room for what a page makes until it is gone, instead of copying it to and fro.
            '--min-semi-space-size=16',
            '--max-semi-space-size=32',
          ],
        },
      },
      { test: { ...patient, name: 'broken', include: ['tests/simulation/broken/*.test.ts'] } },
      { test: { ...patient, name: 'build', include: ['tests/build/**/*.test.ts'] } },
      {
        test: {
          ...patient,
          // Each reads every page of the site.
          testTimeout: 120_000,
          name: 'engines',
          include: ['tests/engines/*.test.ts'],
        },
      },
    ],
  },
}))
