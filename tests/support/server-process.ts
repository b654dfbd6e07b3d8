import { spawn, type ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import type { Order } from './sites-in-turn.ts'
import { within } from './within.ts'

type Environment = Readonly<Record<string, string>>

/** The built product running in a process of its own. */
export interface ServerProcess {
  readonly url: string
  /** Everything it has written so far, from both streams. */
  logs(): string
  /** Asks it to stop and waits until it has; resolves to its exit code, null when the signal ended it. */
  stop(signal?: 'SIGTERM' | 'SIGHUP' | 'SIGKILL'): Promise<number | null>
}

const builtEntry = 'dist/server/main.js'
/** A site of a journey lives for seconds: what V8 optimises of WebAssembly for later was a quarter of its work. */
const quick = ['--liftoff-only']

/**
 * Starts the built server, or a program of its own, and resolves when it says where it listens.
 * Only the variables given reach it, so nothing of the machine's own settings does.
 */
export async function startServer(
  env: Environment,
  entry: string | readonly [program: string, ...args: string[]] = builtEntry,
  cwd = process.cwd(),
): Promise<ServerProcess> {
  const port = Number(env['PORT'] ?? (await freePort()))
  const child = spawnServer(entry, cwd, { ...env, PORT: String(port) })
  const logs = collect(child)
  await isListening(child, { port, logs })
  return { url: `http://localhost:${port}`, logs, stop: (signal) => stop(child, signal) }
}

/** A server process of a worker's journeys, which serves one site after another: most of what a start costs is the process. */
export interface ServerInTurn {
  /** As `startServer`, once the site before has been stopped. One that is killed takes the process with it, as ever. */
  start(env: Environment): Promise<ServerProcess>
  close(): Promise<void>
}

/** `entry` is the bundled `sites-in-turn.ts`. */
export function serveInTurn(entry: string): ServerInTurn {
  let child: ChildProcess | undefined
  let logged = () => ''
  const begin = () => {
    child = spawnServer(entry, process.cwd(), {}, 'ipc')
    logged = collect(child)
    return child
  }
  return {
    start: async (env) => {
      const port = Number(env['PORT'] ?? (await freePort()))
      const isAlive = child?.exitCode === null && child.signalCode === null
      const serving = isAlive && child ? child : begin()
      const all = logged
      const { length: before } = all()
      const logs = () => all().slice(before)
      serving.send({ env: { ...surroundings, ...env, PORT: String(port) } } satisfies Order)
      await isListening(serving, { port, logs })
      return {
        url: `http://localhost:${port}`,
        logs,
        stop: (signal = 'SIGTERM') =>
          signal === 'SIGTERM' ? stopSite(serving, logs) : stop(serving, signal),
      }
    },
    close: async () => {
      if (child) await stop(child, 'SIGKILL')
    },
  }
}

/** Resolves to 0, as the process would that ends orderly, also for one that a journey has killed; rejects where it ended by itself. */
async function stopSite(child: ChildProcess, logs: () => string): Promise<number> {
  if (child.signalCode === 'SIGKILL') return 0
  const stopped = Promise.withResolvers<number>()
  const end = (code: number | null) =>
    stopped.reject(new Error(`The server ended (${code}).\n${logs()}`))
  const take = () => stopped.resolve(0)
  child.on('message', take).on('exit', end)
  child.send('stop' satisfies Order, (error) => error && end(child.exitCode))
  const ending = stopped.promise.finally(() => child.off('message', take).off('exit', end))
  return endsInTime(child, ending)
}

/** Nothing of the machine's own settings reaches a server. */
const surroundings = {
  PATH: process.env['PATH'] ?? '',
  NODE_ENV: 'production',
  // Hundreds of starts of the same code.
  NODE_COMPILE_CACHE: join(tmpdir(), 'tintero-compiled'),
  HOST: '127.0.0.1',
}

function spawnServer(
  entry: string | readonly [program: string, ...args: string[]],
  cwd: string,
  env: Environment,
  ...channels: readonly 'ipc'[]
): ChildProcess {
  const [program, ...args] = typeof entry === 'string' ? [process.execPath, ...quick, entry] : entry
  return spawn(program, args, {
    cwd,
    env: { ...surroundings, ...env },
    stdio: ['pipe', 'pipe', 'pipe', ...channels],
  })
}

/** However busy the machine is, a server that says nothing for so long, in milliseconds, hangs. */
const listensWithinMs = 90_000

/** The servers that have not said yet that they listen, with what they have said, for a test that is told to end meanwhile. */
const silent = new Map<ChildProcess, () => string>()

function endSilent(): void {
  for (const [child, logs] of silent) {
    child.kill('SIGKILL')
    process.stderr.write(`A server never said that it listens.\n${logs()}\n`)
  }
}

process.once('exit', endSilent)
process.once('SIGTERM', () => {
  endSilent()
  process.kill(process.pid, 'SIGTERM')
})

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  }
  return () => Buffer.concat(chunks).toString()
}

async function isListening(
  child: ChildProcess,
  { port, logs }: { readonly port: number; readonly logs: () => string },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const refuse = (reason: string) => reject(new Error(`${reason}\n${logs()}`))
  const end = (code: number | null) => refuse(`The server stopped (${code}) before it listened.`)
  const look = () => void (logs().includes(`:${port}`) && resolve())
  const late = setTimeout(() => {
    child.kill('SIGKILL')
    refuse('The server did not listen.')
  }, listensWithinMs)
  child.on('error', reject).on('exit', end)
  child.stdout?.on('data', look)
  silent.set(child, logs)
  try {
    await promise
  } finally {
    clearTimeout(late)
    silent.delete(child)
    child.off('error', reject).off('exit', end)
    child.stdout?.off('data', look)
  }
}

function stop(
  child: ChildProcess,
  signal: 'SIGTERM' | 'SIGHUP' | 'SIGKILL' = 'SIGTERM',
): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)))
  child.kill(signal)
  return endsInTime(child, ended)
}

/** However busy the machine is, a server that is told to stop and goes on for a minute and a half hangs, and is killed. */
async function endsInTime<T>(child: ChildProcess, ending: Promise<T>): Promise<T> {
  try {
    return await within(90, 'the end of a server', ending)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}
