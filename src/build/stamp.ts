import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'

/*
 * What `dist` was built from, so that a start builds only when it must: the content of every source, not its time, which
 * a clone and a copy change.
 */

const stamp = 'dist/stamp'
const sources = ['index.html', 'package-lock.json', 'vite.config.ts', '{public,src,sw}/**']

/** Covers the sources and the variables that the build reads. */
export function digestOfSources(folder: string, env: NodeJS.ProcessEnv): string {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: folder }).toSorted()) {
    const path = join(folder, file)
    if (statSync(path).isFile()) hash.update(`\0${file}\0`).update(readFileSync(path))
  }
  const names = Object.keys(env).filter((name) => name.startsWith('VITE_') && env[name])
  for (const name of names.toSorted()) hash.update(`\0${name}=${env[name]}`)
  return hash.digest('hex')
}

/** Whether the folder holds a build of the sources as they stand and of these settings. */
export function isBuilt(folder: string, env: NodeJS.ProcessEnv): boolean {
  try {
    return readFileSync(join(folder, stamp), 'utf8') === digestOfSources(folder, env)
  } catch {
    return false
  }
}

/** Writes the stamp once both halves are there; the client's half is built first and removes the old one. */
export function stamped(env: NodeJS.ProcessEnv): Plugin {
  let folder = ''
  let isServer = false
  let isOurs = false
  return {
    name: 'tintero:stamp',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = root
      isServer = Boolean(build.ssr)
      // Tests build elsewhere.
      const usual = isServer ? 'dist/server' : 'dist/client'
      isOurs = resolve(root, build.outDir) === resolve(root, usual)
    },
    buildStart: () => {
      if (isOurs && !isServer) rmSync(join(folder, stamp), { force: true })
    },
    closeBundle: (error) => {
      if (isOurs && isServer && !error) {
        writeFileSync(join(folder, stamp), digestOfSources(folder, env))
      }
    },
  }
}
