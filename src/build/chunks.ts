import type { Plugin } from 'vite'

/**
 * A chunk is a folder with what it imports, named by who loads it. What every visitor runs is one file, `app`: the router,
 * its routes and the pages that these import. What the first script needs of it stays apart, so that this script loads
 * nothing else. The files beside the folders stay out of all: the one that starts the application waits at its top level for
 * code that may itself import `app`. The earlier a row, the more it keeps of what several share. What the owner has at hand
 * on every page is one file: in forty of their own its parts took her phone longer to open than to read. The rooms that she
 * goes to, each of which is one module with what it imports, come when she does.
 */
const rows: readonly (readonly [name: string, test: RegExp])[] = [
  ['start', /client\/browser\/early\/|preload-helper|rolldown.runtime/],
  [
    'app',
    /client\/app\/|node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?!query-(?:persist|sync)|query-core\/.*hydration|.*\/use(?:Blocker|IsFetching)\b))\b/,
  ],
  ['offline', /client\/(?:offline|drafts)\//],
  ['session', /client\/session\//],
  ['outbox', /client\/outbox\//],
  ['login', /client\/login\//],
  ['owner', /client\/owner\/(?!settings|inbox|import|firebase)/],
]
/** As Rolldown's option expects them. */
export const chunks = rows.map(([name, test], i) => ({ name, test, priority: rows.length - i }))

const relative = (id: string) => id.replace(`${process.cwd()}/`, '')

export interface Chunk {
  readonly file: string
  /** Whether the page itself names it. */
  readonly isEntry: boolean
  /** The module that an `import()` of this chunk asks for. */
  readonly entry: string | null
  readonly modules: readonly string[]
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
  readonly css: readonly string[]
}

/** Includes later chunks, but none behind the `import()` calls for which `isDoor` is true. */
export function visitorChunks(
  all: readonly Chunk[],
  isDoor: (entry: string) => boolean,
): ReadonlySet<Chunk> {
  const named = new Map(all.map((chunk) => [chunk.file, chunk]))
  const found = new Set<Chunk>()
  const walk = (chunk: Chunk | undefined) => {
    if (!chunk || found.has(chunk)) return
    found.add(chunk)
    for (const file of chunk.imports) walk(named.get(file))
    for (const next of chunk.dynamicImports.map((file) => named.get(file))) {
      if (!isDoor(next?.entry ?? '')) walk(next)
    }
  }
  walk(all.find(({ isEntry }) => isEntry))
  return found
}

/** The chunks that a first visit loads by itself, with what they load at once. */
function firstChunks(all: readonly Chunk[]): ReadonlySet<Chunk> {
  const found = new Set(all.filter(({ entry, isEntry }) => isEntry || isFirst(entry ?? '')))
  // Iterating a set also visits what is added meanwhile.
  for (const { imports } of found) {
    for (const chunk of all) if (imports.includes(chunk.file)) found.add(chunk)
  }
  return found
}

/** Only the owner's devices keep these chunks: her rooms, and the login, which needs a connection anyway. */
const isOwnersDoor = (entry: string) => /^src\/client\/(?:owner|login)\//.test(entry)

/**
 * The name of a script's file; those that need a connection anyway are told apart, since the worker does not keep them.
 */
export function chunkFileName({ moduleIds }: { readonly moduleIds: readonly string[] }): string {
  const needsConnection = moduleIds.some((id) => /\/@(?:firebase|simplewebauthn)\//.test(id))
  // Seven letters tell 4096 names apart, six only 64.
  return `assets/${needsConnection ? 'online-' : ''}[name]-[hash:7].js`
}

/**
 * A first visit imports these by itself: the application, which lies beside the folders, the offline code, and parts of
 * the interface that no first paint shows.
 */
const isFirst = (entry: string) =>
  /^(?:src\/client\/(?:[^/]+$|offline\/|ui\/)|node_modules\/workbox-window\/)/.test(entry)

export interface ChunkList {
  readonly plugin: Plugin
  /** Whether no page needs this script or sheet at its first visit; call it once the chunks are there. */
  readonly isLater: (file: string) => boolean
  /** Whether only the owner's devices keep this script or sheet; call it once the chunks are there. */
  readonly isOwners: (file: string) => boolean
}

/**
 * Writes which modules each chunk holds, for the tests, hidden beside the manifest, so that it is not served; and tells
 * whose each file is.
 */
export function chunkList(): ChunkList {
  let owners: ReadonlySet<string> = new Set()
  let later: ReadonlySet<string> = new Set()
  const plugin: Plugin = {
    name: 'tintero:chunk-list',
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    generateBundle(_, bundle) {
      const list = Object.values(bundle)
        .filter((file) => file.type === 'chunk')
        .map((chunk): Chunk => ({
          file: chunk.fileName,
          isEntry: chunk.isEntry,
          entry: chunk.facadeModuleId && relative(chunk.facadeModuleId),
          modules: chunk.moduleIds.map(relative),
          imports: chunk.imports,
          dynamicImports: chunk.dynamicImports,
          css: [...(chunk.viteMetadata?.importedCss ?? [])],
        }))
      const everybodys = filesOf(visitorChunks(list, isOwnersDoor))
      owners = filesOf(list).difference(everybodys)
      later = everybodys.difference(filesOf(firstChunks(list)))
      this.emitFile({
        type: 'asset',
        fileName: '.vite/chunks.json',
        source: JSON.stringify(list),
      })
    },
  }
  return {
    plugin,
    isLater: (file) => later.has(file),
    isOwners: (file) => owners.has(file),
  }
}

function filesOf(some: Iterable<Chunk>): ReadonlySet<string> {
  return new Set([...some].flatMap(({ file, css }) => [file, ...css]))
}
