import { cliTexts } from '#contract/texts-cli.ts'
import { fill } from '#contract/text.ts'
import { createAuth, type Auth } from './auth/auth.ts'
import { linkFor } from './auth/first-run.ts'
import { linkMinutes } from './auth/one-time-link.ts'
import { readConfig, type Config } from './config.ts'
import { openDb } from './db/open.ts'
import { log } from './log.ts'

/*
 * The owner's access from the server's command line (`npm run owner`): alone it prints a set-up link while there is no
 * owner, with `reset-password` a link that sets a new password. It may run beside the server.
 */

/** What to tell the person, and whether it is what she asked for. */
interface Outcome {
  readonly lines: readonly string[]
  readonly ok: boolean
}

async function setUp(auth: Auth, config: Config): Promise<Outcome> {
  const name = await auth.ownerName()
  if (name !== undefined) {
    return { ok: true, lines: [fill(cliTexts.hasOwner, { name }), cliTexts.resetHint] }
  }
  const link = linkFor(config, await auth.issueLink('setup'))
  return { ok: true, lines: [fill(cliTexts.setup, { minutes: linkMinutes.setup }), link] }
}

async function resetPassword(auth: Auth, config: Config): Promise<Outcome> {
  const name = await auth.ownerName()
  if (name === undefined) return { ok: false, lines: [cliTexts.noOwner] }
  const link = linkFor(config, await auth.issueLink('reset'))
  return { ok: true, lines: [fill(cliTexts.reset, { name, minutes: linkMinutes.reset }), link] }
}

const commands = { '': setUp, 'reset-password': resetPassword } as const

async function run(words: readonly string[]): Promise<Outcome> {
  const name = words.join(' ')
  const command = Object.entries(commands).find(([known]) => known === name)?.[1]
  if (!command) return { ok: false, lines: [cliTexts.usage] }
  const config = readConfig(process.env)
  const opened = await openDb(config.database)
  try {
    const { limits } = config
    return await command(createAuth({ db: opened.db, now: () => new Date(), log, limits }), config)
  } finally {
    await opened.close()
  }
}

const failed = (error: unknown): Outcome => ({
  ok: false,
  lines: [error instanceof Error ? error.message : String(error)],
})

const { ok, lines } = await run(process.argv.slice(2)).catch(failed)
const stream = ok ? process.stdout : process.stderr
stream.write(`${lines.join('\n')}\n`)
process.exitCode = ok ? 0 : 1
