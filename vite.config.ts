import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { minifySync, type InlineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { defineConfig } from 'vitest/config'
import { chunkList, chunks } from './src/build/chunks.ts'
import { symbolSheet } from './src/build/symbols.ts'
import { stamped } from './src/build/stamp.ts'
import { builtWithFile, hostsOf, readFirebase, type BuiltWith } from './src/contract/firebase.ts'
import { pageSheets } from './src/contract/page-heads.ts'
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

/** What is about content, sessions, limits, repeats, pictures, messages or settings. */
const pairedTests = [
  'auth-session',
  'auth-throttle',
  'contact',
  'devices',
  'hidden-sections',
  'idempotency',
  'images-upload',
  'maintenance',
  'messages',
  'person',
  'sections',
]

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
    inlineSheets(),
    symbolSheet(),
    latePage(),
    builtWith(),
    parts.plugin,
    stamped(process.env),
    workerBuild(),
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
  // Native and WebAssembly packages load files of their own, and the parsers of passkeys lose their order when bundled, so they
  // stay in node_modules.
  ssr:
    command === 'build'
      ? {
          noExternal: true,
          external: ['sharp', 'pg', 'subset-font', 'pdfkit', '@simplewebauthn/server'],
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
            'hash-worker': 'src/server/access/hash-worker.ts',
            'font-worker': 'src/server/typed-title/font-worker.ts',
            'cv-worker': 'src/server/resume/cv-worker.ts',
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
            // Seven letters tell 4096 names apart, six only 64.
            chunkFileNames: ({ moduleIds }) =>
              moduleIds.some((id) => /\/@(?:firebase|simplewebauthn)\//.test(id))
                ? 'assets/online-[name]-[hash:7].js'
                : 'assets/[name]-[hash:7].js',
            entryFileNames: 'assets/[name]-[hash:6].js',
            assetFileNames: 'assets/[name]-[hash:6][extname]',
          },
        },
      },
  test: {
    // Left to itself Vitest keeps one core free, which on two is half of them.
    maxWorkers: '100%',
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
          include: pairedTests.map((name) => `tests/api/${name}.test.ts`),
          globalSetup: 'tests/support/postgres.ts',
          env: { TINTERO_API: 'pair' },
        },
      },
      {
        test: {
          ...brief,
          name: 'sw',
          include: ['tests/worker/**/*.test.ts'],
          // The worker's libraries log through `self` in development, which Node does not have.
          env: { NODE_ENV: 'production' },
        },
      },
      { test: { ...patient, name: 'histories', include: ['tests/simulation/*.test.ts'] } },
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

/** Builds `sw/sw.ts` with the list of this build's files in it; the page registers it and the server writes the manifest. */
function workerBuild() {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: 'sw',
    filename: 'sw.ts',
    injectRegister: false,
    manifest: false,
    selfDestroying: worker === 'off',
    injectManifest: {
      // The placeholders and the icon of the header; other pictures are kept as they are seen.
      globPatterns: ['index.html', 'assets/**/*.{js,css,json,woff2}', '*.svg'],
      // Of no use without a connection; and letters that hardly a Spanish site shows, kept where one does.
      globIgnores: ['assets/online-*', 'assets/*-latin-ext-*'],
      manifestTransforms: [(entries) => ({ manifest: parts.forVisitors(entries), warnings: [] })],
    },
    integration: { configureCustomSWViteBuild: asWorker },
  })
}

/** One file, which the plugin asks for by a name of the option that this Vite warns about, with the right half for notifications. */
function asWorker(config: InlineConfig): void {
  const { build } = config
  if (services.includes('push')) config.resolve = { alias: { '#sw-push': firebasePush } }
  // oxlint-disable-next-line typescript/no-deprecated -- the name the plugin fills
  const output = build?.rollupOptions?.output
  if (!output || Array.isArray(output)) throw new Error('the worker build has no single output')
  // oxlint-disable-next-line typescript/no-deprecated -- what is replaced
  delete output.inlineDynamicImports
  output.codeSplitting = false
}

const firebasePush = new URL('sw/push-firebase.ts', import.meta.url).pathname

/** Tells the server what this build calls: its policy has to allow that, and its account to be of the same project. */
function builtWith(): Plugin {
  const told: BuiltWith = {
    ...(firebase && { projectId: firebase.options.projectId }),
    services,
    hosts: hostsOf(services),
  }
  return {
    name: 'tintero:built-with',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: builtWithFile, source: JSON.stringify(told) })
    },
  }
}

/** Puts every page's own style sheet into the template, from which the server takes that of the page it draws. */
function inlineSheets(): Plugin {
  const blocks = [...pageSheets].map(
    (name) => `<style data-page="${name}">@import './src/client/styles/${name}.css';</style>`,
  )
  return {
    name: 'tintero:page-sheets',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('<!--sheets-->', () => blocks.join('')),
    },
  }
}

/** Moves the stylesheet and the script behind the content, where neither delays the first paint, and shortens what is inline. */
function latePage(): Plugin {
  return {
    name: 'tintero:late-page',
    apply: 'build',
    transformIndexHtml: { order: 'post', handler: (html) => shorten(moveBehindContent(html)) },
  }
}

const lateTag =
  /\s*(?:<link rel="(?:stylesheet|modulepreload)"[^>]*>|<script type="module"[^>]*><\/script>)/g

function moveBehindContent(html: string): string {
  const tags = (html.match(lateTag) ?? [])
    .map((tag) => tag.trim().replace(' crossorigin', ''))
    .map((tag) => tag.replace('<script type="module"', '<script type="module" fetchpriority="low"'))
    // The stylesheet first: a page without JavaScript needs it all the same.
    .toSorted((a, b) => Number(a.startsWith('<script')) - Number(b.startsWith('<script')))
  return html.replace(lateTag, '').replace('</body>', () => `${tags.join('')}</body>`)
}

function shorten(html: string): string {
  return html
    .replace(/<script>([\s\S]*?)<\/script>/g, (_, code: string) => {
      return `<script>${minifySync('inline.js', code, { module: false }).code.trim()}</script>`
    })
    .replace(/<(?:html|meta|link)\b[^>]*>/g, (tag) => tag.replace(/\s+/g, ' ').replace(' />', '>'))
    .replace(/\n\s*/g, '')
    .replace('</head>', () => `${externalHosts()}</head>`)
}

/** Names the other hosts the build was told to call; the server's content security policy allows exactly these. */
function externalHosts(): string {
  const hosts = [apiBase, contactUrl].filter((url) => /^https?:/.test(url))
  const origins = new Set(hosts.map((url) => new URL(url).origin))
  return [...origins].map((origin) => `<link rel="dns-prefetch" href="${origin}">`).join('')
}

const compressible = new Set(['.js', '.css', '.svg', '.json', '.webmanifest', '.txt'])

/** Writes a brotli copy beside every text file of the client build, so that the server never compresses one while answering. */
function precompress(): Plugin {
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
