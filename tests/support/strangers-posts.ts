import { accessCalls } from '#contract/access/access.ts'
import { calls, formAgeHeader, honeypotHeader, idempotencyHeader } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { recoverCall } from '#contract/access/recover.ts'
import type { Json, TestApp } from './app.ts'
import { owner } from './site.ts'
import type { softAuthenticator } from '../doubles/soft-authenticator.ts'

/** A request as a browser of ours sends it: what stands in its body, and in those headers that are looked at. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

/** A site on which everything is there that strangers' posts are about. */
export interface PostedSite {
  readonly app: TestApp
  readonly url: string
  /** The owner's. */
  readonly authenticator: ReturnType<typeof softAuthenticator>
}

const visitor = { name: 'Ana Paz', email: 'ana@ejemplo.test', message: '¿Hablamos mañana?' }
const device = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const from = ({ url }: Pick<PostedSite, 'url'>, headers: Sent['headers'] = {}) => ({
  origin: url,
  'user-agent': device,
  ...headers,
})

type Make = (site: PostedSite) => Promise<Sent>

const posts: Readonly<Record<string, Make>> = {
  [ownerCalls.login]: async (site) => ({ headers: from(site), body: { ...owner } }),

  [ownerCalls.setup]: async (site) => {
    // Setting up ends with the first owner.
    await site.app.db.deleteFrom('owner').execute()
    const token = await site.app.services.auth.issueLink('setup')
    return { headers: from(site), body: { ...owner, token, keepSample: true } }
  },

  [ownerCalls.setupCheck]: async (site) => {
    const token = await site.app.services.auth.issueLink('reset')
    return { headers: from(site), body: { token } }
  },

  [calls.contact]: async (site) => ({
    headers: from(site, {
      [formAgeHeader]: `90000;${site.app.services.formAge.mark()}`,
      [honeypotHeader]: '',
      [idempotencyHeader]: crypto.randomUUID(),
    }),
    body: visitor,
  }),

  [recoverCall]: async (site) => ({ headers: from(site), body: { userName: visitor.email } }),

  [accessCalls.passkeyChallenge]: async (site) => ({ headers: from(site), body: { a: '' } }),

  [accessCalls.passkeySignIn]: async (site) => {
    const keys = siteOf(site)
    const { challenge } = await site.app.services.auth.passkeys.toSignIn(keys)
    const signed = site.authenticator.sign({ ...keys, challenge })
    const response = { ...signed, response: { ...signed.response, userHandle: 'YQ' } }
    return { headers: from(site), body: { response } }
  },

  [accessCalls.kept]: async (site) => ({
    headers: from(site, { cookie: await keptCookie(site) }),
    body: { a: '' },
  }),

  [accessCalls.endLeft]: async (site) => ({
    headers: from(site, { cookie: await keptCookie(site) }),
    body: { revocations: [crypto.randomUUID()] },
  }),
}

/** For each call that anybody may post, a request that is taken whole, for as many times as it is made. */
export const strangersPosts = new Map(
  Object.entries(posts).map(([path, make]) => [`POST /api/${path}`, make]),
)

const siteOf = ({ url }: Pick<PostedSite, 'url'>) => ({ origin: url, rpId: new URL(url).hostname })

/** Gives the owner a passkey for the site at this address. */
export async function addPasskey({ app, url, authenticator }: PostedSite): Promise<void> {
  const { passkeys } = app.services.auth
  const session = await app.services.auth.findSession(app.token)
  if (!session) throw new Error('the owner is not signed in')
  const keys = siteOf({ url })
  const { challenge } = await passkeys.toAdd(session, keys, owner.password)
  const response = authenticator.make({ ...keys, challenge })
  await passkeys.add(session, keys, { response, name: 'Firefox' })
}

/** The cookie of a session that some device keeps. */
async function keptCookie({ app }: PostedSite): Promise<string> {
  const { auth } = app.services
  const { token } = await auth.login({ ...owner, address: crypto.randomUUID() })
  const session = await auth.findSession(token)
  if (!session) throw new Error('the owner is not signed in')
  return `__Secure-tintero=${await auth.keep(session, '')}`
}
