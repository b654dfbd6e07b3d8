import { join } from 'node:path'
import { build, type InlineConfig, type Plugin, type Rollup } from 'vite'

const root = join(import.meta.dirname, '../../..')
const folder = join(import.meta.dirname, 'page')

/** One text of the product exchanged for another, to see whether the histories notice. */
export interface Mutation {
  /** Which file, from the product's root. */
  readonly file: string
  readonly from: string
  readonly to: string
}

/** The code of a tab as one script, whose value is its `tab`; with a mutation, of a product broken on purpose. */
export function bundleTab(mutations: readonly Mutation[] = []): Promise<string> {
  return bundle('tab.tsx', [hearResults(), noStyles(), ...mutations.map(mutate)])
}

/** The code of a device's database as one script. */
export function bundleStorage(): Promise<string> {
  return bundle('storage.ts', [])
}

async function bundle(entry: string, plugins: readonly Plugin[]): Promise<string> {
  const config: InlineConfig = {
    root,
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    plugins: [...plugins],
    oxc: { jsx: { runtime: 'automatic', development: false } },
    resolve: { alias: { '@tanstack/react-router': join(folder, 'router.tsx') } },
    define: {
      'process.env.NODE_ENV': '"production"',
      'import.meta.env.VITE_API_BASE': '"/api/"',
      'import.meta.env.VITE_CONTACT_URL': '""',
      'import.meta.env.VITE_WORKER': '"off"',
      'import.meta.env.VITE_VERSION': '"0"',
      'import.meta.env.VITE_FIREBASE_OPTIONS': '""',
      'import.meta.env.VITE_FIREBASE_PUSH': '""',
      'import.meta.env.VITE_FIREBASE_IMAGES': '""',
      'import.meta.env.VITE_FIREBASE_CONFIG': '""',
    },
    build: {
      write: false,
      minify: false,
      target: 'es2024',
      copyPublicDir: false,
      modulePreload: false,
      lib: { entry: join(folder, entry), formats: ['iife'], name: 'bundled' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  }
  const built = (await build(config)) as Rollup.RolldownOutput[] | Rollup.RolldownOutput
  const [output] = Array.isArray(built) ? built : [built]
  const code = output?.output.find(({ type }) => type === 'chunk')
  if (code?.type !== 'chunk') throw new Error('nothing was bundled')
  return code.code
}

/** Lets whoever plays the history hear what a form is told of its change. */
function hearResults(): Plugin {
  const real = 'export async function submitChange('
  const heard = `
    export async function submitChange(change, options) {
      const hear = globalThis.tabHost.submitted(change, options.picture)
      const result = await reallySubmit(change, options)
      hear(result)
      return result
    }`
  return {
    name: 'history:hear-outcomes',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/client/owner/changes/submit-change.ts')) return undefined
      if (!code.includes(real)) throw new Error('no way to hear what becomes of a change')
      return code.replace(real, 'async function reallySubmit(') + heard
    },
  }
}

function noStyles(): Plugin {
  return {
    name: 'history:no-styles',
    enforce: 'pre',
    load: (id) => (id.endsWith('.css') ? 'export {}' : undefined),
  }
}

function mutate({ file, from, to }: Mutation): Plugin {
  return {
    name: 'history:mutate',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith(`/${file}`)) return undefined
      if (!code.includes(from)) throw new Error(`${file} has no «${from}» to break`)
      return code.replace(from, () => to)
    },
  }
}
