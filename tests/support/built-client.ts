import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Where the build that the tests run has its client. */
const built = 'dist/client'

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

type Manifest = Readonly<Record<string, Chunk>>

/** What the client build says of its own chunks; throws when there is no build. */
export function readManifest(folder = built): Manifest {
  return JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
}

/** The files that a browser fetches when it runs the chunk of a source: its own and all it imports statically. */
export function filesOf(manifest: Manifest, source: string): readonly string[] {
  return chunksOf(manifest, source).map(({ file }) => file)
}

/** The style sheets that come with those files. */
export function sheetsOf(manifest: Manifest, source: string): readonly string[] {
  return chunksOf(manifest, source).flatMap(({ css }) => css ?? [])
}

function chunksOf(manifest: Manifest, source: string): readonly Chunk[] {
  const seen = new Map<string, Chunk>()
  const visit = (key: string) => {
    if (seen.has(key)) return
    const chunk = manifest[key]
    if (!chunk) throw new Error(`the build has no ${key}`)
    seen.set(key, chunk)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  visit(source)
  return [...seen.values()]
}

/** Finds the file below the client's folder; throws where the build has none. */
export function readBuilt(file: string, folder = built): string {
  return readFileSync(join(folder, file), 'utf8')
}

/** Size of the text as servers send it, in bytes. */
export function gzipped(text: string): number {
  return gzipSync(text, { level: 9 }).length
}

export function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}
