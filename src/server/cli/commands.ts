import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sections } from '#contract/sections/index.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { fill } from '#contract/text.ts'
import { createAuth, type Auth } from '../access/auth.ts'
import { linkFor } from '../access/first-run.ts'
import { linkMinutes } from '../access/one-time-link.ts'
import { lackingIn } from '../backup/manifest.ts'
import { UnusableBackup } from '../backup/read-backup.ts'
import { restoreBackup } from '../backup/restore.ts'
import { readConfig, type Config } from '../config.ts'
import { lifeAt } from '../db/life.ts'
import { openDb } from '../db/open.ts'
import { openPictureFiles } from '../images/picture-files.ts'
import { log } from '../log.ts'
import { refusalOf } from '../disk/disk.ts'
import { folderTrouble } from '../disk/folder-trouble.ts'
import { keepPrivate } from '../disk/private-folder.ts'
import { failureSentence } from '../failure-sentence.ts'
import { backupsOf } from '../services.ts'
import { examine } from './doctor.ts'
import { exportSite, type ExportWish } from './export.ts'
import { importFile } from './import.ts'
import { refuseNoSite } from './open-site.ts'

/*
 * What the operator does from the server's command line. All of it may run beside the server but `restore`, which refuses
 * to.
 */

/** What to tell the person, and what the program ends with: 0 done, 1 failed, 2 not understood. */
export interface CommandResult {
  readonly lines: readonly string[]
  readonly code: 0 | 1 | 2
}

interface Command {
  /** It takes one word behind its own: what is said where that is missing. */
  readonly lacks?: string
  /** The options that it knows beside those of the program. */
  readonly options?: readonly (keyof ExportWish)[]
  /** Without an outcome the program goes on running. */
  run(
    config: () => Config,
    words: readonly string[],
    wish: ExportWish,
  ): Promise<CommandResult | undefined>
}

const done = (...lines: readonly string[]): CommandResult => ({ code: 0, lines })
const failed = (...lines: readonly string[]): CommandResult => ({ code: 1, lines })

async function setUp(auth: Auth, config: Config): Promise<CommandResult> {
  const name = await auth.ownerName()
  if (name !== undefined) return done(fill(cliTexts.hasOwner, { name }), cliTexts.resetHint)
  const link = linkFor(config, await auth.issueLink('setup'))
  return done(fill(cliTexts.setup, { minutes: linkMinutes.setup }), link)
}

async function resetPassword(auth: Auth, config: Config): Promise<CommandResult> {
  const name = await auth.ownerName()
  if (name === undefined) return failed(cliTexts.noOwner)
  const link = linkFor(config, await auth.issueLink('reset'))
  return done(fill(cliTexts.reset, { name, minutes: linkMinutes.reset }), link)
}

/** A command that needs the site's access. */
const withAuth =
  (act: (auth: Auth, config: Config) => Promise<CommandResult>): Command['run'] =>
  async (readIt) => {
    const config = readIt()
    await keepPrivate(config.dataDir, log)
    const backups = backupsOf(config, config.database, { now, log })
    const opened = await openDb(config.database, lifeAt(now()), (last) =>
      backups.make('update', last),
    )
    try {
      return await act(createAuth({ db: opened.db, now, log, limits: config.limits }), config)
    } finally {
      await opened.close()
    }
  }

const now = () => new Date()

async function backUp(config: Config): Promise<CommandResult> {
  const { backupDir, database } = config
  await refuseNoSite(database)
  // The system's own refusal would be told of the data folder.
  const trouble = await folderTrouble(backupDir, 'BACKUP_DIR')
  if (trouble !== undefined) return failed(trouble)
  const backups = backupsOf(config, database, { now, log: () => undefined })
  const { name, lacking, loose } = await backups.make('hand')
  const { written, writtenIncomplete, writtenLoose } = backupTexts
  const file = join(backupDir, name)
  return done(
    fill(lacking === 0 ? written : writtenIncomplete, { file, n: lacking }),
    ...(loose === 0 ? [] : [fill(writtenLoose, { file, n: loose })]),
  )
}

async function restore(config: Config, file: string): Promise<CommandResult> {
  const { database, dataDir } = config
  await readable(file).catch((error: unknown) => {
    throw new Error(fill(cliTexts.noFile, { file, message: refusalOf(error) }), { cause: error })
  })
  await keepPrivate(dataDir, log)
  const to = { database, media: openPictureFiles(config), now: now(), tell: tellDone }
  const restoring = restoreBackup(file, to).catch((error: unknown) => {
    if (!(error instanceof UnusableBackup)) throw error
    throw new Error(fill(cliTexts.notUsable, { file, message: error.why }), { cause: error })
  })
  const { manifest: restored, before } = await restoring
  const { madeAt, tables } = restored
  const entries = sections.reduce((sum, { key }) => sum + (tables[key] ?? 0), 0)
  const lacking = lackingIn(restored)
  return done(
    fill(backupTexts.restored, { date: madeAt, entries }),
    ...(lacking === 0 ? [] : [fill(backupTexts.restoredIncomplete, { n: lacking })]),
    ...(before === undefined ? [] : [fill(backupTexts.before, { before })]),
  )
}

function tellDone(before: string): void {
  process.stdout.write(`${fill(backupTexts.brokenOffDone, { before })}\n`)
}

/** Throws the system's error where nothing can be read from the path. */
async function readable(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.read(Buffer.alloc(1))
  } finally {
    await file.close()
  }
}

const commands: Readonly<Record<string, Command>> = {
  start: {
    run: async () => {
      await import('../main.ts')
      return undefined
    },
  },
  owner: { run: withAuth(setUp) },
  'owner reset-password': { run: withAuth(resetPassword) },
  backup: { run: (config) => backUp(config()) },
  restore: { lacks: cliTexts.lacks.restore, run: (config, [file = '']) => restore(config(), file) },
  export: {
    lacks: cliTexts.lacks.export,
    options: ['address', 'contact'],
    run: (config, [folder = ''], wish) => exportSite(config(), folder, wish),
  },
  import: {
    lacks: cliTexts.lacks.import,
    run: (config, [file = '']) => importFile(config(), file, now()),
  },
  doctor: { run: (config) => examine(config, { version: process.versions.node, now: now() }) },
  help: { run: () => Promise.resolve(done(cliTexts.help)) },
}

/** Whether nothing is named: a variable that the shell finds unset leaves an empty word, not none. */
const isEmpty = (words: readonly string[]) => words.every((word) => word === '')

/** The command that the words call, and what is left for it; one of two words comes before one of one. */
function find(words: readonly string[]): [Command, readonly string[]] | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    const rest = words.slice(length)
    const takesOne = command?.lacks !== undefined
    if (command && (takesOne ? rest.length === 1 && !isEmpty(rest) : rest.length === 0)) {
      return [command, rest]
    }
  }
  return undefined
}

const notUnderstood = (why: string): CommandResult => ({ code: 2, lines: [why, '', cliTexts.help] })

const unknown = (words: readonly string[]) =>
  notUnderstood(fill(cliTexts.unknown, { words: words.join(' ') }))

/** The answer to words that are a command, but for the one that it takes. */
function withoutItsWord([name = '', ...rest]: readonly string[]): CommandResult | undefined {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const isLacking = rest.length <= 1 && isEmpty(rest)
  return command?.lacks === undefined || !isLacking ? undefined : notUnderstood(command.lacks)
}

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  address: { type: 'string' },
  contact: { type: 'string' },
} as const

interface Program {
  readonly env: NodeJS.ProcessEnv
  /** Where this version is told. */
  readonly manifest: URL
}

async function outcomeOf(words: readonly string[], { env, manifest }: Program) {
  const parsed = parse(words)
  if (!parsed) return unknown(words)
  if (parsed.values.version) return done(await versionIn(manifest))
  const found = find(parsed.values.help ? ['help'] : parsed.positionals)
  if (!found) return withoutItsWord(parsed.positionals) ?? unknown(words)
  const [command, rest] = found
  const { help: _, version: _2, ...wish } = parsed.values
  const known: readonly string[] = command.options ?? []
  if (!parsed.values.help && Object.keys(wish).some((name) => !known.includes(name))) {
    return unknown(words)
  }
  return command.run(() => readConfig(env), rest, wish)
}

async function versionIn(file: URL): Promise<string> {
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { readonly version: string }
  return version
}

function parse(words: readonly string[]) {
  // npm's own mark stays in a command that is taken to where npm is not.
  const args = words.filter((word, i) => word !== '--' || !words[i + 1]?.startsWith('--'))
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    return { values, positionals: positionals.length > 0 ? positionals : ['start'] }
  } catch {
    return undefined
  }
}

/** Runs what the words say, tells its outcome and sets what the program ends with. */
export async function runCommand(words: readonly string[], program: Program): Promise<void> {
  const outcome = await outcomeOf(words, program).catch((error: unknown) =>
    failed(failureSentence(error)),
  )
  if (!outcome) return
  const stream = outcome.code === 0 ? process.stdout : process.stderr
  stream.write(`${outcome.lines.join('\n')}\n`)
  process.exitCode = outcome.code
}
