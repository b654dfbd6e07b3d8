import { mkdirSync } from 'node:fs'
import type { PushMessage } from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { createAuth, type Auth } from './access/auth.ts'
import type { Config } from './config.ts'
import { openDb, type BeforeMigrating, type DbTarget, type OpenedDb } from './db/open.ts'
import { isPutBack } from './db/postgres-dump.ts'
import type { Db, Engine, Executor } from './db/tables.ts'
import { createImages } from './images/kept-images.ts'
import { openPictureFiles, type PictureFiles } from './images/picture-files.ts'
import type { ImageStore } from './images/store.ts'
import { createJobs, type Jobs, type JobHandler } from './jobs/worker.ts'
import { createLook, type Look } from './links/look.ts'
import { createThrottledLog, type Log } from './log.ts'
import { openFormAge, type FormAge } from './messages/form-age.ts'
import { createBackups, type Backups } from './backup/backups.ts'
import { noteAlarmTaken } from './backup/told-alarms.ts'
import { endRestore, restoringFile } from './backup/unfinished-restore.ts'
import { openDiskRoom, type DiskRoom } from './disk/space.ts'
import { openPush, type Push } from './notifications/push.ts'
import { createTypedTitle, type TitlePictures } from './typed-title/typed-title.ts'
import { notifyDevices } from './messages/notify.ts'
import { deliverPush } from './notifications/deliver.ts'
import { guardLinks, noteTaken } from './links/guard.ts'
import { sendMails } from './mail/mail-jobs.ts'
import { createMailer } from './mail/mailer.ts'
import type { PushSender } from './notifications/sender.ts'
import type { Job } from './jobs/job-table.ts'
import { beginLife, lifeAt } from './db/life.ts'
import { refuseForRoot } from './db/sqlite-file.ts'
import { serveFile } from './db/sqlite-serving.ts'
import { transact } from './db/transact.ts'
import { refusalOf } from './disk/disk.ts'
import { keepPrivate } from './disk/private-folder.ts'
import { messageOf } from './problem.ts'

/** Everything the calls stand on; made once at start, or by a test. */
export interface Services {
  readonly db: Db
  readonly engine: Engine
  readonly config: Config
  readonly log: Log
  readonly now: () => Date
  readonly images: ImageStore
  /** Where the pictures' files lie. */
  readonly pictureFiles: PictureFiles
  readonly auth: Auth
  readonly typedTitle: TitlePictures
  readonly push: Push
  readonly formAge: FormAge
  readonly jobs: Jobs
  readonly backups: Backups
  /** The disk under a SQLite file. */
  readonly room?: DiskRoom
  /** The Firebase project that the pages were built for. */
  readonly pagesProject?: string
}

interface ServiceOptions extends Pick<Services, 'config' | 'log' | 'now' | 'push'> {
  readonly opened: Pick<OpenedDb, 'db' | 'engine' | 'target'>
  /** Made before the database is opened, where one is taken before it changes. */
  readonly backups?: Backups
  readonly room?: DiskRoom | undefined
  readonly pagesProject?: string | undefined
  /** What hashes passwords; a test has a quick one. */
  readonly derive?: Parameters<typeof createAuth>[0]['derive']
  /** What looks at links; a test looks at its own. */
  readonly look?: Look
  /** What spreads the tries of jobs that failed. */
  readonly random?: () => number
}

/** Everything the calls stand on, over an open database: the one place where the parts of the server meet. */
export async function createServices(options: ServiceOptions): Promise<Services> {
  const { opened, config, log, now, push, room, pagesProject, derive, random } = options
  const { db, engine, target } = opened
  const files = openPictureFiles(config)
  const { sender } = push
  const handlers = jobHandlers({ db, now, config, log, sender, look: options.look })
  return {
    db,
    engine,
    config,
    log,
    now,
    push,
    images: createImages({ files, db, engine, now, log }),
    pictureFiles: files,
    auth: createAuth({ db, now, log, limits: config.limits, ...(derive && { derive }) }),
    typedTitle: createTypedTitle(),
    jobs: createJobs({ db, engine, now, log, handlers, ...(random && { random }) }),
    formAge: await openFormAge(db, now),
    backups: options.backups ?? backupsOf(config, target, { now, log }),
    ...(room && { room }),
    ...(pagesProject !== undefined && { pagesProject }),
  }
}

/** The backups of a site's database and pictures. */
export function backupsOf(
  config: Config,
  database: DbTarget,
  using: Pick<Services, 'now' | 'log'>,
): Backups {
  const media = openPictureFiles(config)
  return createBackups({ folder: config.backupDir, database, media, ...using })
}

interface HandlerOptions {
  readonly db: Db
  readonly now: () => Date
  readonly config: Pick<Config, 'push' | 'publicUrl' | 'smtp'>
  readonly sender: PushSender
  readonly log: Log
  /** How links are looked at; a test looks at its own. */
  readonly look?: Look | undefined
}

/** What each kind of job does. */
function jobHandlers(options: HandlerOptions): Readonly<Record<Job['kind'], JobHandler>> {
  const { db, now, config, log, look = createLook() } = options
  const onTaken = async (message: PushMessage) => {
    await noteTaken(db, message)
    await noteAlarmTaken(db, message)
  }
  const mailer = config.smtp && createMailer(config.smtp, createThrottledLog(log, now))
  return {
    ring: notifyDevices({ db, now, everyMs: config.push.notifyEveryMs }),
    push: deliverPush({ ...options, onTaken }),
    mail: sendMails({ db, now, config, mailer }),
    links: guardLinks({ db, now, log, look }),
  }
}

type Say = (sentence: string) => void

interface Opened {
  readonly services: Services
  close(): Promise<void>
}

const now = () => new Date()

/**
 * Opens the database and everything that stands on it; `say` is told, in words for a person, what a start does that was not asked
 * of it. Throws when the database or the notifications' keys cannot be used.
 */
export async function openServices(
  config: Config,
  log: Log,
  say: Say = () => undefined,
): Promise<Opened> {
  const { dataDir, database } = config
  if (database.engine === 'sqlite') refuseForRoot(database.file)
  await keepPrivate(dataDir, log)
  const room = database.engine === 'sqlite' ? roomUnder(dataDir, log) : undefined
  const backups = backupsOf(config, database, { now, log })
  const before = (last: string) => backups.make('update', last)
  const told = { log, say }
  const { close, ...opened } = await openServed(database, told, before).catch((error: unknown) => {
    room?.holdBack()
    throw error
  })
  const push = await openPush(opened.db, config, now)
  const services = await createServices({ opened, config, log, now, push, backups, room })
  return {
    services,
    async close() {
      await close()
      room?.holdBack()
    },
  }
}

/** The database, held against a second process where only one can serve it; what somebody has put back begins another life. */
async function openServed(
  target: DbTarget,
  { log, say }: { readonly log: Log; readonly say: Say },
  beforeMigrating: BeforeMigrating,
): Promise<OpenedDb> {
  const life = lifeAt(now())
  const beginAnother = (t: Executor) => beginLife(t, now())
  if (target.engine === 'postgres') {
    const opened = await openDb(target, life, beforeMigrating)
    try {
      // Once more is right: what was noted is not noted again.
      await transact(opened.db, async (t) => (await isPutBack(t)) && beginAnother(t), {
        repeatable: true,
      })
    } catch (error) {
      await opened.close()
      throw error
    }
    return opened
  }
  const served = serveFile(target.file)
  try {
    // Before anything is written, which what was left may leave no room for.
    await endKilledRestore(target.file, { log, say })
    const opened = await openDb(target, life, beforeMigrating)
    // Versions given out since the file was copied must not come again.
    if (served.isPutBack) await transact(opened.db, beginAnother)
    served.watch(log)
    const close = async () => {
      served.stopWatching()
      await opened.close()
      served.close()
    }
    return { ...opened, close }
  } catch (error) {
    served.close()
    throw error
  }
}

/** Ends what a killed restore has left in the folder: nothing of the site shows whether the content which somebody wanted back is there. */
async function endKilledRestore(
  site: string,
  { log, say }: { readonly log: Log; readonly say: Say },
): Promise<void> {
  const file = restoringFile(site)
  try {
    const ended = await endRestore(site)
    if (!ended) return
    const { before } = ended
    if (before !== undefined) {
      log('restore-done', { before })
      return say(fill(backupTexts.brokenOffDone, { before }))
    }
    log('restore-broken-off', { file })
    say(fill(backupTexts.brokenOffRemoved, { file }))
  } catch (error) {
    // The site can be served beside it.
    log('restore-left', { file, error: messageOf(error) })
    say(fill(backupTexts.brokenOffStays, { file, message: refusalOf(error) }))
  }
}

/** Looked at before the database is opened, which on a full disk needs what is held back. */
function roomUnder(dir: string, log: Log): DiskRoom {
  mkdirSync(dir, { recursive: true })
  const room = openDiskRoom(dir, log)
  room.isScarce()
  return room
}
