import { spawnSync } from 'node:child_process'

/** Installs a Debian package where that is possible: as root, with apt-get. Says so; whether it helped is the caller's to see. */
export function installSystemPackage(name: string): void {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return
  process.stdout.write(`Installing the system package ${name}.\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: readonly string[]) => spawnSync('apt-get', args, { stdio: 'inherit', env })
  apt('update', '-qq')
  apt('install', '-y', '-qq', '--no-install-recommends', name)
}

/** Whether a program runs here; where it does not, after its Debian package was installed. */
export function hasProgram(command: readonly [string, ...string[]], name: string): boolean {
  const [program, ...args] = command
  const runs = () => spawnSync(program, args).status === 0
  if (runs()) return true
  installSystemPackage(name)
  return runs()
}

/** Whether the text of a PDF can be read here. */
export const canReadPdf = () => hasProgram(['pdftotext', '-v'], 'poppler-utils')
