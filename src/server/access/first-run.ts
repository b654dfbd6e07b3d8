import { setupPath } from '#contract/access/session.ts'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import type { Config } from '../config.ts'
import { Problem } from '../problem.ts'
import type { Log } from '../log.ts'
import type { Auth } from './auth.ts'

interface FirstRun {
  readonly auth: Auth
  readonly config: Pick<Config, 'owner' | 'publicUrl'>
  readonly log: Log
}

/**
 * On a site without an owner: makes the one that the operator named, or returns the set-up link to print. Throws when
 * the operator's choice cannot be taken, with the reason and without the password.
 */
export async function prepareOwner({ auth, config, log }: FirstRun): Promise<string | undefined> {
  if (await auth.hasOwner()) return undefined
  // Another process of the site, started with this one, prints a link of its own: nobody knows which she will open.
  if (!config.owner) return linkFor(config, await auth.issueLink('setup', { besides: true }))
  const made = await auth.createOwner(config.owner).catch((error: unknown) => {
    throw explain(error)
  })
  if (made) log('owner-created')
  return undefined
}

/** The link comes from the configuration, never from a request. */
export function linkFor({ publicUrl }: Pick<Config, 'publicUrl'>, token: string): string {
  return `${publicUrl}${setupPath}#${token}`
}

function explain(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const { userName, password } = error.details.errors ?? {}
  const faults = [
    ...(userName === undefined ? [] : [`OWNER_EMAIL: ${userName}`]),
    ...(password === undefined ? [] : [`OWNER_PASSWORD: ${password}`]),
  ]
  return new Error(fill(cliTexts.noOwnerMade, { faults: faults.join('\n') }), { cause: error })
}
