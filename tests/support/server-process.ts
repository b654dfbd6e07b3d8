import { spawn, type ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

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
/** A server of a journey lives for seconds: what V8 optimises of WebAssembly for later was a quarter of its work. */
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
  const [program, ...args] = typeof entry === 'string' ? [process.execPath, ...quick, entry] : entry
  const child = spawn(program, args, {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      // Hundreds of starts of the same code.
      NODE_COMPILE_CACHE: join(tmpdir(), 'tintero-compiled'),
      HOST: '127.0.0.1',
      ...env,
      PORT: String(port),
    },
  })
  const output = collect(child)
  silent.set(child, output)
  await isListening(child, { port, logs: output }).finally(() => silent.delete(child))
  return { url: `http://localhost:${port}`, logs: output, stop: (signal) => stop(child, signal) }
}

/**
 * The servers that have not said yet that they listen, with what they have said. How long one takes is the machine's matter: what
 * hangs is found by the test's own limit, whose process is then told to end.
 */
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

function isListening(
  child: ChildProcess,
  { port, logs }: { readonly port: number; readonly logs: () => string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (reason: string) => reject(new Error(`${reason}\n${logs()}`))
    child.on('error', reject)
    child.on('exit', (code) => refuse(`The server stopped (${code}) before it listened.`))
    child.stdout?.on('data', () => {
      if (logs().includes(`:${port}`)) resolve()
    })
  })
}

function stop(
  child: ChildProcess,
  signal: 'SIGTERM' | 'SIGHUP' | 'SIGKILL' = 'SIGTERM',
): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code))
    child.kill(signal)
  })
}
