import { globSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

/*
 * Reads the report of `npm audit --json` and ends with 1 when a package that ships has a known hole of weight. To npm
 * everything bundled is a development dependency, as the tools are; what ships is what the sources import.
 */

interface Audit {
  readonly vulnerabilities: Readonly<Record<string, { readonly severity: string }>>
}

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const { packages } = read('package-lock.json') as {
  readonly packages: Readonly<Record<string, Locked>>
}

function imported(): readonly string[] {
  const files = globSync(['src/{client,contract,server}/**/*.{ts,tsx,css}', 'sw/**/*.ts'], {
    exclude: ['src/server/dev.ts'],
  })
  return files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import|url\()\s*'([@a-z][^':]*)'/g),
    ].map(([, name = '']) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
  )
}

/** The packages and their dependencies in turn; a package nested inside another belongs to that one. */
function withNeeds(names: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const visit = (name: string, from: string) => {
    const path = pathOf(name, from)
    if (path === undefined || seen.has(path)) return
    seen.add(path)
    const { dependencies, optionalDependencies } = packages[path] ?? {}
    for (const need of Object.keys({ ...dependencies, ...optionalDependencies })) visit(need, path)
  }
  for (const name of names) visit(name, '')
  return new Set([...seen].map((path) => path.replace(/^.*node_modules\//, '')))
}

/** Node finds a package in the folder of the one that needs it, or in one further out. */
function pathOf(name: string, from: string): string | undefined {
  const path = `${from}${from && '/'}node_modules/${name}`
  if (path in packages) return path
  return from === ''
    ? undefined
    : pathOf(name, from.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, ''))
}

const { vulnerabilities } = JSON.parse(await text(process.stdin)) as Audit
const ships = withNeeds([...Object.keys(packages['']?.dependencies ?? {}), ...imported()])
const holes = Object.entries(vulnerabilities).filter(
  ([name, { severity }]) => ships.has(name) && ['high', 'critical'].includes(severity),
)
process.stdout.write(`${ships.size} packages ship; known holes: ${holes.length}\n`)
for (const [name, { severity }] of holes) process.stdout.write(`${name}: ${severity}\n`)
process.exitCode = holes.length > 0 ? 1 : 0
