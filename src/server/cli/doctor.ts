import { constants, existsSync } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { ownHeader } from '#contract/api.ts'
import { dayMs } from '#contract/durations.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { fill } from '#contract/text.ts'
import { doctorTexts as said } from '#contract/texts/doctor.ts'
import { createBackups } from '../backup/backups.ts'
import { isAhead } from '../backup/retention.ts'
import { unfinishedFile, unfinishedRestores } from '../backup/unfinished-restore.ts'
import { isLocal, type Config } from '../config.ts'
import { appliedMigrations, looseRows, openToLook } from '../db/as-it-is.ts'
import { allMigrations } from '../db/migrations/all.ts'
import { checkFile } from '../db/sqlite-file.ts'
import { lostContent } from '../db/sqlite-serving.ts'
import type { Db } from '../db/tables.ts'
import { folderTrouble, nearestThere } from '../disk/folder-trouble.ts'
import { countMissing } from '../images/kept-images.ts'
import { openPictureFiles } from '../images/picture-files.ts'
import { readKeys } from '../notifications/vapid.ts'
import { messageOf } from '../problem.ts'
import { failureSentence } from '../failure-sentence.ts'
import type { CommandResult } from './commands.ts'

/*
 * Looks at everything a site stands on and changes none of it, whether the site runs or not. What is wrong ends the
 * program with 1; what only may be unwanted is said.
 */

type Grade = 'well' | 'note' | 'wrong'

interface Finding {
  readonly grade: Grade
  readonly text: string
}

const well = (text: string): Finding => ({ grade: 'well', text })
const note = (text: string): Finding => ({ grade: 'note', text })
const wrong = (text: string): Finding => ({ grade: 'wrong', text })

const marks: Readonly<Record<Grade, string>> = { well: '✓', note: '!', wrong: '✗' }

interface Circumstances {
  /** The version of Node. */
  readonly version: string
  readonly now: Date
}

/** Examines the site that the configuration describes. */
export async function examine(
  readConfig: () => Config,
  { version, now }: Circumstances,
): Promise<CommandResult> {
  const findings = [well(fill(said.node, { version }))]
  try {
    const config = readConfig()
    const folder = resolve(config.dataDir)
    const trouble = await folderTrouble(folder, 'DATA_DIR')
    findings.push(...(trouble ? [wrong(trouble)] : await folderFindings(folder, config)))
    // A file in a folder that cannot be used would pass for a damaged one.
    if (!trouble || config.database.engine === 'postgres') {
      findings.push(...(await databaseFindings(config)))
    }
    if (!trouble || relative(folder, resolve(config.backupDir)).startsWith('..')) {
      findings.push(...(await backupFindings(config, now)))
    }
    findings.push(...(await addressFindings(config)))
  } catch (error) {
    findings.push(wrong(failureSentence(error)))
  }
  const faults = findings.filter(({ grade }) => grade === 'wrong').length
  const lines = findings.map(({ grade, text }) => `${marks[grade]} ${text}`)
  const end = faults === 0 ? said.well : fill(said.faults, { n: faults })
  return { code: faults === 0 ? 0 : 1, lines: [...lines, '', end] }
}

const megabyte = 1024 ** 2
/** With less than this, in megabytes, a night's backup may not fit. */
const littleRoomMb = 200
const others = 0o077

async function folderFindings(folder: string, { s3 }: Config): Promise<readonly Finding[]> {
  const { bavail, bsize } = await statfs(nearestThere(folder))
  const free = Math.floor((bavail * bsize) / megabyte)
  const room = { folder, free }
  const tight = free < littleRoomMb ? [wrong(fill(said.littleRoom, room))] : []
  const found = await stat(folder).catch(() => undefined)
  if (!found) return [note(fill(said.noFolder, { folder })), ...tight]
  const trouble = s3 ? undefined : await folderTrouble(join(folder, 'media'), 'DATA_DIR')
  if (trouble) return [wrong(trouble), ...tight]
  return [
    ...(tight.length > 0 ? tight : [well(fill(said.folder, room))]),
    ...((found.mode & others) === 0 ? [] : [note(fill(said.open, { folder }))]),
  ]
}

const mayChange = (file: string): Promise<boolean> =>
  access(file, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  )

async function databaseFindings(config: Config): Promise<readonly Finding[]> {
  const { database } = config
  if (database.engine === 'postgres') {
    return openedFindings(config)
  }
  const { file } = database
  // Looking at a file makes its folder; there is none to be made here.
  if (!existsSync(dirname(file))) return [note(said.noSite)]
  return [...fileRestoreFindings(file), ...(await fileFindings(file, config))]
}

function fileRestoreFindings(file: string): readonly Finding[] {
  try {
    const restore = unfinishedFile(file)
    if (restore === undefined) return []
    const { file: made, aside: before = '', is, isRunning } = restore
    if (isRunning) return [note(said.restoring)]
    if (is === 'done') return [note(fill(backupTexts.brokenOffDone, { before }))]
    if (is === 'away') return [wrong(fill(backupTexts.brokenOffAway, { before }))]
    return [wrong(fill(backupTexts.brokenOffFile, { file: made }))]
  } catch (error) {
    return [wrong(failureSentence(error))]
  }
}

async function fileFindings(file: string, config: Config): Promise<readonly Finding[]> {
  try {
    const isFile = existsSync(file)
    if (isFile && !(await mayChange(file))) return [wrong(fill(said.notChangeable, { file }))]
    await checkFile(file)
    if (!isFile) return [note(said.noSite)]
    const loose = looseRows(file)
    if (loose > 0) return [wrong(fill(said.orphans, { n: loose }))]
  } catch (error) {
    return [wrong(failureSentence(error))]
  }
  return openedFindings(config)
}

async function openedFindings(config: Config): Promise<readonly Finding[]> {
  const db = await openToLook(config.database)
  try {
    const restore = config.database.engine === 'postgres' ? await restoreFindings(db) : []
    return [...restore, ...(await contentFindings(db, config))]
  } catch (error) {
    return [wrong(failureSentence(error))]
  } finally {
    await db.destroy()
  }
}

async function restoreFindings(db: Db): Promise<readonly Finding[]> {
  const restores = await unfinishedRestores(db)
  if (restores.some(({ isRunning }) => isRunning)) return [note(said.restoring)]
  const { brokenOff, brokenOffDone } = backupTexts
  return restores.map(({ schema, isDone }) =>
    isDone ? note(fill(brokenOffDone, { before: schema })) : wrong(fill(brokenOff, { schema })),
  )
}

async function contentFindings(db: Db, config: Config): Promise<readonly Finding[]> {
  const { engine } = config.database
  const names = await appliedMigrations(db)
  if (names.length === 0) return [note(said.noSite)]
  const known = Object.keys(allMigrations(engine))
  const later = names.filter((name) => !known.includes(name))
  if (later.length > 0) return [wrong(fill(said.later, { names: later.join(', ') }))]
  const lost = config.database.engine === 'sqlite' && lostContent(config.database.file)
  if (lost) return [wrong(lost)]
  const sound = well(fill(said.database, { engine: engine === 'sqlite' ? 'SQLite' : 'PostgreSQL' }))
  // Its tables are not yet what this version reads.
  if (names.length < known.length) return [sound, note(said.earlier)]
  return [
    sound,
    await ownerFinding(db),
    await picturesFinding(db, config),
    ...(await pushFindings(db, config)),
  ]
}

async function ownerFinding(db: Db): Promise<Finding> {
  const owner = await db.selectFrom('owner').select('user_name').executeTakeFirst()
  return owner ? well(fill(said.owner, { name: owner.user_name })) : note(said.noOwner)
}

async function picturesFinding(db: Db, config: Config): Promise<Finding> {
  const files = openPictureFiles(config)
  const { place: folder, isRemote } = files
  try {
    const { missing, all } = await countMissing(db, files)
    if (missing === 0) return well(fill(said.pictures, { all }))
    return wrong(fill(said.noPictures, { missing, all, folder }))
  } catch (error) {
    if (!isRemote) return wrong(failureSentence(error))
    return wrong(fill(cliTexts.noStorage, { folder, message: messageOf(error) }))
  }
}

async function pushFindings(db: Db, { push }: Config): Promise<readonly Finding[]> {
  const devices = await db.selectFrom('device').select('trouble').execute()
  const dead = await db
    .selectFrom('job')
    .select((e) => e.fn.countAll().as('n'))
    .where('state', '=', 'dead')
    .executeTakeFirst()
  const undelivered = Number(dead?.n ?? 0)
  const troubled = devices.filter(({ trouble }) => trouble !== '').length
  return [
    await keysFinding(db, push.keys !== undefined),
    devices.length === 0 ? note(said.noDevices) : well(fill(said.devices, { n: devices.length })),
    ...(troubled === 0 ? [] : [wrong(fill(said.troubled, { n: troubled }))]),
    ...(undelivered === 0 ? [] : [wrong(fill(said.undelivered, { n: undelivered }))]),
  ]
}

async function keysFinding(db: Db, areGiven: boolean): Promise<Finding> {
  const { keysPlaces: places } = said
  if (areGiven) return well(fill(said.keys, { place: places.environment }))
  try {
    const kept = await readKeys(db)
    return kept ? well(fill(said.keys, { place: places.database })) : note(said.keysLater)
  } catch (error) {
    return wrong(fill(said.keysBroken, { message: messageOf(error) }))
  }
}

/** After so many days without one the nightly backups are not being made. */
const overdueDays = 2

async function backupFindings(config: Config, now: Date): Promise<readonly Finding[]> {
  const { backupDir, database } = config
  const folder = resolve(backupDir)
  const trouble = await folderTrouble(folder, 'BACKUP_DIR')
  if (trouble) return [wrong(trouble)]
  const site = { database, media: openPictureFiles(config) }
  const backups = createBackups({ ...site, folder, now: () => now, log: () => undefined })
  const damaged = await backups.check('new')
  const all = await backups.list()
  const ahead = all
    .filter((backup) => isAhead(backup, now))
    .map(({ name }) => note(fill(said.aheadBackup, { name })))
  const [last, ...older] = all.filter((backup) => !isAhead(backup, now))
  if (!last) return [note(said.noBackups), ...ahead]
  const date = last.madeAt.toISOString().slice(0, 10)
  const isOld = now.getTime() - last.madeAt.getTime() > overdueDays * dayMs
  return [
    isOld
      ? wrong(fill(said.oldBackup, { date }))
      : well(fill(said.backups, { n: older.length + 1, date })),
    ...ahead,
    ...damaged.map((name) => wrong(fill(said.damagedBackup, { name }))),
  ]
}

const answerWithinMs = 5000

/** Whether a site of ours answers there; else why not, `refused` where nothing listens. */
async function answers(address: string): Promise<'ours' | 'other' | 'refused' | Error> {
  try {
    const signal = AbortSignal.timeout(answerWithinMs)
    const response = await fetch(`${address}/api/health`, { signal, redirect: 'manual' })
    await response.body?.cancel()
    return response.ok && response.headers.has(ownHeader) ? 'ours' : 'other'
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    if (cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED') return 'refused'
    return cause instanceof Error ? cause : new Error(messageOf(error))
  }
}

async function addressFindings(config: Config): Promise<readonly Finding[]> {
  const { port, host, publicUrl, trustProxy } = config
  const local = `http://${/^(?:0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host}:${port}`
  const here = await answers(local)
  const findings: Finding[] = []
  if (here === 'ours') findings.push(well(fill(said.running, { address: local })))
  else if (here === 'refused') findings.push(note(fill(said.notRunning, { port })))
  else if (here === 'other') findings.push(wrong(fill(said.otherProgram, { port })))
  else {
    const { message } = here
    findings.push(wrong(fill(said.noAnswer, { address: local, message })))
  }

  const { protocol } = new URL(publicUrl)
  const address = publicUrl
  if (isLocal(publicUrl)) {
    return [...findings, note(fill(said.onlyHere, { address }))]
  }
  if (protocol === 'https:') {
    if (trustProxy === 0) findings.push(note(said.proxy))
  } else findings.push(wrong(fill(said.noHttps, { address })))
  // Nothing can answer at the public address either.
  if (here !== 'ours') return findings
  const there = await answers(publicUrl)
  if (there === 'ours') return [...findings, well(fill(said.publicAnswers, { address }))]
  const message = there instanceof Error ? there.message : there
  return [...findings, wrong(fill(said.publicSilent, { address, message }))]
}
