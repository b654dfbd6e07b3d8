import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { isBuilt } from './stamp.ts'

/* `tintero` from a clone: builds when the sources are not what `dist` was made from, then runs the built program. */

const folder = join(import.meta.dirname, '../..')

/** Prints what the build says only when it fails: on a slow machine it warns of its own slowness. */
function build(): number {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['run', '--silent', 'build']
  const shell = process.platform === 'win32'
  const built = spawnSync(npm, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: Infinity,
    shell,
  })
  if (built.status === 0) return 0
  process.stderr.write(built.error ? `${built.error.message}\n` : built.stderr)
  return built.status ?? 1
}

const code = isBuilt(folder, process.env) ? 0 : build()
if (code === 0) await import(new URL('../../dist/server/cli.js', import.meta.url).href)
else process.exitCode = code
