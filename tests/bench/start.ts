import { spawn, type ChildProcess } from 'node:child_process'
import { reportingUsage } from './usage.ts'

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
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes(`:${port}`)) resolve()
    })
  })
  return { child, port }
}
