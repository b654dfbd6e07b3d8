import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { isBuilt } from './stamp.ts'

/* `tintero` from a clone: builds when the sources are not what `dist` was made from, then runs the built program. */

const folder = join(import.meta.dirname, '../..')

/** A start says only what went wrong with it. */
function build(): number {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['run', '--silent', 'build']
  const shell = process.platform === 'win32'
  return (
    spawnSync(npm, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], shell }).status ?? 1
  )
}

const code = isBuilt(folder, process.env) ? 0 : build()
if (code === 0) await import(new URL('../../dist/server/cli.js', import.meta.url).href)
else process.exitCode = code
