import { SignJWT } from 'jose'
import * as v from 'valibot'
import type { ServiceAccount } from './service-account.ts'

/** The right to send notifications, as Google's servers want to see it; asked for once an hour. */
export interface AccessTokens {
  /** Rejects when Google gives none. */
  get(): Promise<string>
  /** Forgets the token, because it was refused. */
  drop(): void
}

const tokenUrl = 'https://oauth2.googleapis.com/token'
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const scope = 'https://www.googleapis.com/auth/firebase.messaging'
const answersWithinMs = 10_000
/** A token that is about to end is not handed out any more. */
const marginMs = 60_000

const answer = v.object({ access_token: v.string(), expires_in: v.number() })

/** Google refused to give a token. */
export class TokenRefused extends Error {
  /** When it did, by its own clock, as a header says it. */
  readonly date: string | null

  constructor(date: string | null) {
    super('no access token for this account')
    this.date = date
  }
}

interface AccessOptions {
  readonly account: ServiceAccount
  readonly now: () => Date
  readonly fetch: typeof fetch
}

/** Tokens for this account; calls that come together share one request. */
export function accessTokens(options: AccessOptions): AccessTokens {
  const { now } = options
  let current: { readonly token: string; readonly until: number } | undefined
  let asking: Promise<string> | undefined
  const ask = async () => {
    const { access_token: token, expires_in: seconds } = await exchange(options)
    current = { token, until: now().getTime() + seconds * 1000 - marginMs }
    return token
  }
  return {
    get: async () => {
      if (current && now().getTime() < current.until) return current.token
      asking ??= ask().finally(() => (asking = undefined))
      return asking
    },
    drop: () => (current = undefined),
  }
}

async function exchange({ account: { email, key }, now, fetch: post }: AccessOptions) {
  const iat = Math.floor(now().getTime() / 1000)
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(email)
    .setAudience(tokenUrl)
    .setIssuedAt(iat)
    .setExpirationTime(iat + 3600)
    .sign(key)
  const response = await post(tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: grantType, assertion }),
    redirect: 'error',
    signal: AbortSignal.timeout(answersWithinMs),
  })
  if (response.status === 400 || response.status === 401) {
    throw new TokenRefused(response.headers.get('date'))
  }
  if (!response.ok) throw new Error(`no access token: ${response.status}`)
  return v.parse(answer, await response.json())
}
