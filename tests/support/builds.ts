import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { project } from '../doubles/google/account.ts'
import { runToEnd } from './run-to-end.ts'

/** A build of its own, beside the one that the other tests run. */
export interface Build {
  /** What to start instead of `dist/server/main.js`. */
  readonly entry: string
  /** The folder of its client's files. */
  readonly client: string
  remove(): void
}

/**
 * The next version: the same code under other file names, as a change in it would give them, so that none of the files
 * an open page may still ask for is there any more. `mark` is in its pages.
 */
export function nextBuild(mark: string): Build {
  const folder = copyOfBuild()
  const client = join(folder, 'dist/client')
  const assets = readdirSync(join(client, 'assets')).filter((name) => !name.endsWith('.br'))
  const renamed = (text: string) =>
    assets.reduce((result, name) => result.replaceAll(name, `${mark}-${name}`), text)
  for (const name of readdirSync(join(client, 'assets'))) {
    const file = join(client, 'assets', name)
    const isText = /\.(?:js|css|json)$/.test(name)
    // Brotli copies would hold the old names.
    if (!name.endsWith('.br')) {
      const content = readFileSync(file)
      writeFileSync(
        join(client, 'assets', `${mark}-${name}`),
        isText ? renamed(content.toString()) : content,
      )
    }
    rmSync(file)
  }
  const page = join(client, 'index.html')
  const html = renamed(readFileSync(page, 'utf8'))
  writeFileSync(
    page,
    html.replace('<!--head-->', `<!--head--><meta name="build" content="${mark}">`),
  )
  const worker = join(client, 'sw.js')
  // The revision of the page in the list of files follows from its content.
  const list = renamed(readFileSync(worker, 'utf8'))
  writeFileSync(worker, list.replace(/("?revision"?:["`'])[0-9a-f]+/g, `$1${mark}`))
  rmSync(`${worker}.br`)
  return {
    entry: join(folder, 'dist/server/main.js'),
    client,
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** The build that takes the worker off every device, made as README.md of the worker says. */
export function workerlessBuild(): Build {
  return buildWith({ VITE_WORKER: 'off' })
}

/** The build with every service of Firebase, made as README.md says, for a project with this key for notifications. */
export function firebaseBuild(vapidKey: string): Build {
  return buildWith({
    VITE_FIREBASE_API_KEY: project.apiKey,
    VITE_FIREBASE_PROJECT_ID: project.id,
    VITE_FIREBASE_APP_ID: project.appId,
    VITE_FIREBASE_STORAGE_BUCKET: project.bucket,
    VITE_FIREBASE_MESSAGING_SENDER_ID: project.number,
    VITE_FIREBASE_VAPID_KEY: vapidKey,
    VITE_REMOTE_CONFIG: 'firebase',
  })
}

/** A client built with these variables, in front of the same server. Throws with what the build says when it fails. */
export function buildWith(variables: Readonly<Record<string, string>>): Build {
  const folder = copyOfBuild()
  const client = join(folder, 'dist/client')
  // Test runners say `test` here, with which React would come in its development half.
  const env = { ...process.env, NODE_ENV: 'production', ...variables }
  const args = ['vite', 'build', '--outDir', client, '--emptyOutDir']
  const { status, stderr } = runToEnd('npx', args, { env, encoding: 'utf8' })
  if (status !== 0) {
    rmSync(folder, { recursive: true })
    throw new Error(`the build failed: ${stderr}`)
  }
  return {
    entry: join(folder, 'dist/server/main.js'),
    client,
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** A copy of the sources to be changed, checked and built by itself. */
export interface Sources {
  readonly folder: string
  /** Replaces a text of a file, which has to be there. */
  edit(file: string, from: string, to: string): void
  /** What the compiler says of the client and all that it imports; empty when nothing. */
  typeErrors(): string
  /** Builds client and server; throws with what the build says when it fails. */
  build(): Build
  remove(): void
}

const sourceNames = ['src', 'sw', 'public', 'index.html', 'vite.config.ts', 'package.json']

/** The product's sources in a folder of their own, the packages beside them. */
export function copySources(): Sources {
  const folder = mkdtempSync(join(tmpdir(), 'tintero-source-'))
  for (const name of [...sourceNames, 'tsconfig.json']) {
    cpSync(name, join(folder, name), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const run = (...args: readonly string[]) =>
    runToEnd('npx', args, {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'production' },
      encoding: 'utf8',
    })
  return {
    folder,
    edit: (file, from, to) => {
      const path = join(folder, file)
      const text = readFileSync(path, 'utf8')
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
      writeFileSync(
        path,
        text.replace(from, () => to),
      )
    },
    typeErrors: () => {
      const own = {
        extends: './tsconfig.json',
        compilerOptions: {
          composite: false,
          emitDeclarationOnly: false,
          noEmit: true,
          jsx: 'react-jsx',
          lib: ['es2024', 'dom', 'dom.iterable'],
          types: ['vite/client'],
        },
        files: ['src/client/main.tsx', 'src/client/entry-server.tsx', 'src/client/env.d.ts'],
        references: [],
      }
      writeFileSync(join(folder, 'tsconfig.client.json'), JSON.stringify(own))
      return run('tsc', '-p', 'tsconfig.client.json').stdout
    },
    build: () => {
      for (const args of [[], ['--ssr']]) {
        const { status, stderr } = run('vite', 'build', ...args)
        if (status !== 0) throw new Error(`the build failed: ${stderr}`)
      }
      return {
        entry: join(folder, 'dist/server/main.js'),
        client: join(folder, 'dist/client'),
        remove: () => rmSync(folder, { recursive: true }),
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The packages stay where they are: the server finds them above its folder. */
function copyOfBuild(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tintero-build-'))
  cpSync('dist', join(folder, 'dist'), { recursive: true })
  cpSync('package.json', join(folder, 'package.json'))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return folder
}
