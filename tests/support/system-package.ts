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
