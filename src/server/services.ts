import { createAuth, type Auth } from './access/auth.ts'
import type { Config } from './config.ts'
import type { DbTarget, OpenedDb } from './db/open.ts'
import type { Db, Engine } from './db/tables.ts'
import { createImages } from './images/kept-images.ts'
import { openPictureFiles, type PictureFiles } from './images/picture-files.ts'
import type { ImageStore } from './images/store.ts'
import { jobHandlers } from './job-handlers.ts'
import { createJobs, type Jobs } from './jobs/worker.ts'
import type { Look } from './links/look.ts'
import type { Log } from './log.ts'
import { openFormAge, type FormAge } from './messages/form-age.ts'
import { createBackups, type Backups } from './backup/backups.ts'
import type { DiskRoom } from './disk/space.ts'
import type { Push } from './notifications/push.ts'
import { createTypedTitle, type TitlePictures } from './typed-title/typed-title.ts'

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

interface Ground extends Pick<Services, 'config' | 'log' | 'now' | 'push'> {
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
export async function createServices(ground: Ground): Promise<Services> {
  const { opened, config, log, now, push, room, pagesProject, derive, random } = ground
  const { db, engine, target } = opened
  const files = openPictureFiles(config)
  const { sender } = push
  const handlers = jobHandlers({ db, now, config, log, sender, look: ground.look })
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
    backups: ground.backups ?? backupsOf(config, target, { now, log }),
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
