import { spawn } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const config = 'src/deploy/nginx.conf'

/** Why no caching proxy can be started here; undefined when one can. */
export function missingNginx(): string | undefined {
  return findServer('nginx') === undefined
    ? 'Without nginx (apt-get install nginx-light) nothing is read through a caching proxy.'
    : undefined
}

/** A caching proxy in front of a running site, as the product's own configuration describes it. */
export interface CachingProxy {
  readonly url: string
  /** The folder of what it keeps. */
  readonly kept: string
  close(): Promise<void>
}

/** Starts nginx with the configuration that the product hands out; only places and ports are of the test. */
export async function startNginx(siteUrls: readonly string[]): Promise<CachingProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'tintero-nginx-'))
  // Its workers are another user where root starts it.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const kept = join(folder, 'kept')
  const servers = siteUrls.map((url) => `server 127.0.0.1:${new URL(url).port};`).join('\n')
  const text = replaced(readFileSync(config, 'utf8'), [
    ['server 127.0.0.1:3000;', servers],
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ['/var/cache/nginx/tintero', kept],
    ['http {', `pid ${folder}/pid;\nhttp {\n${temporaryFolders(folder)}`],
  ])
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, text)
  const child = spawn(findServer('nginx') ?? '', [
    '-c',
    file,
    '-e',
    join(folder, 'errors'),
    '-g',
    'daemon off;',
  ])
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const url = `http://127.0.0.1:${port}`
  const lastLook = Date.now() + 90_000
  while (!(await isListening(url))) {
    const isLate = Date.now() > lastLook
    if (isLate) child.kill('SIGKILL')
    if (isLate || child.exitCode !== null) {
      throw new Error(`nginx does not listen. ${readFileSync(join(folder, 'errors'), 'utf8')}`)
    }
    await wait(50)
  }
  return {
    url,
    kept,
    close: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The path of a server program. */
export function findServer(name: string): string | undefined {
  // Where the systems install servers, which is not on everybody's path.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A configuration with other places in it; throws when one of them is not there any more. */
export function replaced(
  text: string,
  changes: readonly (readonly [from: string, to: string])[],
): string {
  return changes.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`The configuration has no line "${from}" any more`)
    return before.replace(from, () => to)
  }, text)
}

const temporaryFolders = (folder: string) =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')

/** Whether anything answers there; what lets its first caller wait is asked again. */
export async function isListening(url: string): Promise<boolean> {
  return fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  )
}
