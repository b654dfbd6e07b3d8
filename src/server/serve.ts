import type { Server } from 'node:http'
import { cliTexts } from '#contract/texts-cli.ts'
import { fill } from '#contract/text.ts'
import { prepareOwner } from './auth/first-run.ts'
import { linkMinutes } from './auth/one-time-link.ts'
import { readConfig, type Config } from './config.ts'
import { sweepKeys } from './db/idempotency-keys.ts'
import { seedSample } from './db/sample.ts'
import { drain } from './drain.ts'
import { sweepJobs } from './jobs/job-table.ts'
import { log } from './log.ts'
import { openParts } from './open-parts.ts'
import type { Parts } from './parts.ts'

const dayMs = 86_400_000
/** How long a stop waits for answers under way. */
const drainMs = 10_000

/**
 * Runs the server that `build` makes of the parts until the process is told to stop: reads the configuration, opens the
 * database, prepares the owner, listens. What prevents that is written for a person, and the process ends with 1.
 */
export async function serve(build: (parts: Parts) => Promise<Server>): Promise<void> {
  process.on('unhandledRejection', (error) =>
    log('unhandled-rejection', { error: describe(error) }),
  )
  try {
    const config = readConfig(process.env)
    const { parts, close } = await openParts(config, log)
    await seedSample(parts.db)
    const link = await prepareOwner(parts)
    const server = await build(parts)
    await listen(server, config)
    await parts.jobs.start()
    const housekeeping = setInterval(() => void sweep(parts), dayMs)
    stopOnSignal(async () => {
      clearInterval(housekeeping)
      await drain(server, drainMs)
      await parts.jobs.stop()
      await close()
    })
    greet(config, link)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE'
      reject(isTaken ? new Error(fill(cliTexts.portTaken, { port }), { cause: error }) : error)
    })
    server.listen(port, host, resolve)
  })
}

function greet({ port, publicUrl }: Config, link: string | undefined): void {
  const address = `http://localhost:${port}`
  const lines = [fill(cliTexts.listening, { address })]
  if (publicUrl !== address) lines.push(fill(cliTexts.publicAddress, { publicUrl }))
  if (link) lines.push('', fill(cliTexts.setup, { minutes: linkMinutes.setup }), link)
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Stops once, in order; a second signal ends the process at once, and so does an error nobody caught. */
function stopOnSignal(stop: () => Promise<void>): void {
  const end = async (code: number) => {
    for (const signal of signals) process.removeAllListeners(signal)
    await stop()
    process.exit(code)
  }
  const signals = ['SIGTERM', 'SIGINT'] as const
  for (const signal of signals) process.once(signal, () => void end(0))
  process.once('uncaughtException', (error) => {
    log('uncaught-exception', { error: describe(error) })
    void end(1)
  })
}

/** Deletes what has expired; a failure is tried again the next day. */
async function sweep({ auth, images, db, now }: Parts): Promise<void> {
  try {
    await auth.sweep()
    await sweepKeys(db, now())
    await sweepJobs(db, now())
    await images.sweep()
  } catch (error) {
    log('sweep-failed', { error: describe(error) })
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
