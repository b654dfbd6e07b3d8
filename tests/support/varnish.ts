import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findServer, isListening, replaced } from './nginx.ts'

/** Why no proxy that is told of changes can be started here; undefined when one can. */
export function missingVarnish(): string | undefined {
  return findServer('varnishd') === undefined
    ? 'Without varnish (apt-get install varnish) no shared cache is told of changes.'
    : undefined
}

/** Starts Varnish before a site, with the configuration that the product hands out; only places and ports are of the test. */
export async function startVarnish(
  { port, purgePort }: { readonly port: number; readonly purgePort: number },
  siteUrl: string,
): Promise<{ close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'tintero-varnish-'))
  // Its worker is another user where root starts it.
  chmodSync(folder, 0o755)
  const file = join(folder, 'site.vcl')
  const own = readFileSync('src/deploy/varnish.vcl', 'utf8')
  const { port: sitePort } = new URL(siteUrl)
  writeFileSync(file, replaced(own, [['.port = "3000"', `.port = "${sitePort}"`]]))
  const doors = ['-a', `127.0.0.1:${port}`, '-a', `purge=127.0.0.1:${purgePort}`]
  const place = ['-n', join(folder, 'n'), '-f', file, ...doors]
  const size = ['-s', 'malloc,16m', '-p', 'http_gzip_support=off']
  const child = spawn(findServer('varnishd') ?? '', ['-F', ...place, ...size])
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const lastLook = Date.now() + 90_000
  while (!(await isListening(`http://127.0.0.1:${port}`))) {
    const isLate = Date.now() > lastLook
    if (isLate) child.kill('SIGKILL')
    if (isLate || child.exitCode !== null) throw new Error(`varnishd does not listen. ${said}`)
    await wait(50)
  }
  return {
    close: () => {
      child.kill('SIGTERM')
      void ended.then(() => rmSync(folder, { recursive: true, force: true }))
    },
  }
}
