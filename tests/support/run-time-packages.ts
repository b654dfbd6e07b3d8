import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** Links into a folder what an installation without the tools brings, and nothing beside it. */
export function linkRunTimePackages(folder: string): void {
  const installed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
    encoding: 'utf8',
  })
  for (const path of installed.trim().split('\n').slice(1)) {
    const inside = relative(resolve('.'), path)
    // What lies inside another package comes with it.
    if (inside.lastIndexOf('node_modules') > 0) continue
    mkdirSync(dirname(join(folder, inside)), { recursive: true })
    symlinkSync(path, join(folder, inside))
  }
}
