import { spawn, type ChildProcess } from 'node:child_process'
import { reportingUsage } from './usage.ts'
import { within } from '#tests/support/within.ts'

/** A server whose use of the machine is read. */
export interface Server {
  readonly child: ChildProcess
  readonly port: number
}

/** Starts a server's script and resolves when it says its port, which its environment or its first argument names. */
export async function start(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Server> {
  const port = Number(env['PORT'] ?? args[0])
  const child = spawn(process.execPath, [...reportingUsage, script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const listening = new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes(`:${port}`)) resolve()
    })
  })
  try {
    await within(60, `the start of ${script}`, listening)
  } catch (error) {
    // One that never listens would keep the run waiting for its end.
    child.kill('SIGKILL')
    throw error
  }
  return { child, port }
}
