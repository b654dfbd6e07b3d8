import type { Server } from 'node:http'
import { dayMs } from '#contract/durations.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { fill } from '#contract/text.ts'
import { prepareOwner } from './access/first-run.ts'
import { linkMinutes } from './access/one-time-link.ts'
import { startNightly } from './backup/nightly.ts'
import { alarmMessage, type Alarm } from './backup/told-alarms.ts'
import { noteTold, unfinishedRestores } from './backup/unfinished-restore.ts'
import type { Config } from './config.ts'
import { sweepDaily } from './daily-sweep.ts'
import { seedSample } from './db/sample.ts'
import type { Executor } from './db/tables.ts'
import { folderTrouble } from './disk/folder-trouble.ts'
import { countMissing } from './images/kept-images.ts'
import { scheduleLooks } from './links/guard.ts'
import { listen, reservePort } from './listen.ts'
import { log, say } from './log.ts'
import { tellDevices } from './messages/notify.ts'
import { causeOf } from './problem.ts'
import { failureSentence } from './failure-sentence.ts'
import { openServices, type Services } from './services.ts'

/** How long a stop waits for answers under way. */
const drainMs = 10_000

interface RunningSite {
  /** Says where it listens, and what its operator has to know. */
  greet(): Promise<void>
  /** Resolves when every answer under way is sent and the database is closed. */
  stop(): Promise<void>
}

/**
 * Starts the site that `build` makes of the services with the settings of an environment: opens the database, prepares the owner,
 * listens. Throws what prevents that.
 */
export async function startSite(
  env: NodeJS.ProcessEnv,
  build: (services: Services) => Promise<Server>,
): Promise<RunningSite> {
  const place = await reservePort(env)
  const { config } = place
  const { services, close } = await openServices(config, log, say)
  await seedSample(services.db)
  const link = await prepareOwner(services)
  const server = await build(services)
  await listen(server, place)
  await scheduleLooks(services.db, services.now())
  await services.jobs.start()
  const stopping = new AbortController()
  const sweep = () => void sweepDaily(services, stopping.signal)
  sweep()
  const stopNightly = startNightly({ ...services, notify: notifyOwner })
  const housekeeping = setInterval(sweep, dayMs)
  return {
    greet: async () => {
      greet(config, link)
      await sayNoBackups(config)
      await sayBrokenOffRestore(services)
      await sayMissingPictures(services)
    },
    stop: async () => {
      clearInterval(housekeeping)
      stopping.abort()
      stopNightly()
      await drain(server, drainMs)
      await services.jobs.stop()
      await close()
    },
  }
}

/** Runs the site until the process is told to stop. What prevents its start is written for a person, and the process ends with 1. */
export async function serve(build: (services: Services) => Promise<Server>): Promise<void> {
  process.on('unhandledRejection', (error) =>
    log('unhandled-rejection', { error: describe(error) }),
  )
  try {
    const site = await startSite(process.env, build)
    stopOnSignal(site.stop)
    await site.greet()
  } catch (error) {
    say(failureSentence(error))
    process.exit(1)
  }
}

/** The site can be read without them; a night is too late to learn of it. */
async function sayNoBackups({ backupDir }: Config): Promise<void> {
  const trouble = await folderTrouble(backupDir, 'BACKUP_DIR')
  if (trouble === undefined) return
  log('backup-folder-unusable', { folder: backupDir })
  say(fill(cliTexts.noBackups, { trouble }))
}

/** Nothing of the site shows whether the content which somebody wanted back is there. */
async function sayBrokenOffRestore({ db, engine, log: write }: Services): Promise<void> {
  if (engine !== 'postgres') return
  try {
    for (const { schema, isDone, isRunning } of await unfinishedRestores(db)) {
      if (isRunning) continue
      write(isDone ? 'restore-done' : 'restore-broken-off', { schema })
      const { brokenOff, brokenOffDone } = backupTexts
      say(isDone ? fill(brokenOffDone, { before: schema }) : fill(brokenOff, { schema }))
      if (isDone) await noteTold(db, schema, true)
    }
  } catch (error) {
    write('restore-unknown', { error: causeOf(error).message })
  }
}

/** Two processes without a shared folder each have half of the pictures; so has a database without its folder. */
async function sayMissingPictures({ db, pictureFiles, log: write }: Services): Promise<void> {
  const { place: folder } = pictureFiles
  try {
    const { missing, all } = await countMissing(db, pictureFiles)
    if (missing === 0) return
    write('pictures-missing', { missing, all })
    say(fill(cliTexts.noPictures, { missing, all, folder }))
  } catch (error) {
    // The pages can be read without them, and it may answer later.
    const { message } = causeOf(error)
    write('pictures-unreachable', { error: message })
    say(fill(cliTexts.noStorage, { folder, message }))
  }
}

function greet({ port, publicUrl }: Config, link: string | undefined): void {
  const address = `http://localhost:${port}`
  const lines = [fill(cliTexts.listening, { address })]
  if (publicUrl !== address) lines.push(fill(cliTexts.publicAddress, { publicUrl }))
  if (link) lines.push('', fill(cliTexts.setup, { minutes: linkMinutes.setup }), link)
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Stops once, in order, also where its terminal is closed; a second signal ends the process at once, and so does an error nobody caught. */
function stopOnSignal(stop: () => Promise<void>): void {
  const end = async (code: number) => {
    for (const signal of signals) process.removeAllListeners(signal)
    try {
      await stop()
    } catch (error) {
      log('stop-failed', { error: describe(error) })
      process.exit(1)
    }
    process.exit(code)
  }
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, () => void end(0))
  process.once('uncaughtException', (error) => {
    log('uncaught-exception', { error: describe(error) })
    void end(1)
  })
}

/** Notifies every device: nobody looks into a log at night. */
function notifyOwner(t: Executor, what: Alarm, now: Date): Promise<boolean> {
  return tellDevices(t, alarmMessage(what), now)
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const lookEveryMs = 50

/** Stops listening and resolves when every answer under way is sent, or after `withinMs` at the latest. */
function drain(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection that falls idle would otherwise stay open for the next request.
    const idle = setInterval(() => server.closeIdleConnections(), lookEveryMs)
    const limit = setTimeout(() => server.closeAllConnections(), withinMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(limit)
      resolve()
    })
  })
}
