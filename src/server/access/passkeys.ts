import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Passkey } from '#contract/access/access.ts'
import type { Session } from '#contract/access/session.ts'
import type { TableRow } from '../db/tables.ts'
import { accessKind, raiseRevision } from '../db/revisions.ts'
import { transact } from '../db/transact.ts'
import { createThrottledLog } from '../log.ts'
import { Problem } from '../problem.ts'
import { assertPassword } from './current-password.ts'
import { createKnownNetworks } from './known-networks.ts'
import { createLoginMemory } from './login-memory.ts'
import { startSession, type LoginOptions } from './login.ts'
import { accountOf, readOwner } from './owner.ts'
import { makeChallenge, spendChallenge } from './passkey-challenges.ts'
import {
  findPasskey,
  insertPasskey,
  listPasskeys,
  markUsed,
  maxPasskeys,
  passkeysOf,
  removePasskey,
  renamePasskey,
} from './passkey-store.ts'
import { isOpen, type SessionInfo } from './session.ts'
import { sessionNeeded } from '../api/guard.ts'
import { tooMany } from '../api/rate-limits.ts'
import { forgetHits, hit } from '../api/throttle.ts'

/*
 * Passkeys, the second way to sign in. The library reads and verifies the authenticators' answers; this file decides
 * the purpose of a challenge, whose key it is, and what follows. A key signs for the one site it was made for, and
 * only after the authenticator has verified the person.
 */

/** The site as the browser sees it, which the authenticator signs. */
export interface SiteOfKeys {
  readonly origin: string
  readonly rpId: string
}

/** Refusals are thrown as `Problem`. */
export interface Passkeys {
  list(session: SessionInfo): Promise<readonly Passkey[]>
  /**
   * The options for the browser to make one. Throws 422 for a wrong password, 429 when guessed too often, 409 beyond
   * the limit.
   */
  toAdd(
    session: SessionInfo,
    site: SiteOfKeys,
    currentPassword: string,
  ): Promise<PublicKeyCredentialCreationOptionsJSON>
  /** Throws 422 unless it is a new passkey for this site. */
  add(session: SessionInfo, site: SiteOfKeys, made: NewPasskey): Promise<Passkey>
  rename(id: string, name: string): Promise<boolean>
  remove(id: string): Promise<boolean>
  /** The options to sign in with; they do not tell whether there are passkeys. */
  toSignIn(site: SiteOfKeys): Promise<PublicKeyCredentialRequestOptionsJSON>
  /** Opens a new session. Throws 401 as for a wrong password, 429 when tried too often. */
  signIn(site: SiteOfKeys, attempt: PasskeyAttempt): Promise<Session>
}

interface NewPasskey {
  readonly response: RegistrationResponseJSON
  readonly name: string
}

interface PasskeyAttempt {
  readonly response: AuthenticationResponseJSON
  readonly address: string
  readonly device: string
}

/** EdDSA, ES256 and RS256, which authenticators support. */
const supportedAlgorithmIDs = [-8, -7, -257]

// Loaded late, since a start without a sign-in by passkey does not need its parsers.
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** Passkeys by WebAuthn; the library is loaded with the first call that needs it. */
export function createPasskeys(options: LoginOptions): Passkeys {
  const { db, now } = options
  return {
    list: ({ ownerId }) => listPasskeys(db, ownerId),
    toAdd: (session, site, currentPassword) => toAdd(options, { session, site, currentPassword }),
    add: (session, site, made) => add(options, { session, site, made }),
    rename: (id, name) => renamePasskey(db, id, name),
    remove: (id) => removePasskey(db, id),
    async toSignIn({ rpId }) {
      const { generateAuthenticationOptions } = await library()
      return generateAuthenticationOptions({
        rpID: rpId,
        challenge: await makeChallenge(db, 'sign-in', now()),
        userVerification: 'required',
      })
    },
    signIn: createSignIn(options),
  }
}

async function toAdd(
  options: LoginOptions,
  {
    session,
    site: { rpId },
    currentPassword,
  }: { readonly session: SessionInfo; readonly site: SiteOfKeys; readonly currentPassword: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { db, now } = options
  const owner = await assertPassword(options, session, currentPassword)
  const known = await passkeysOf(db, owner.id)
  if (known.length >= maxPasskeys) throw new Problem('demasiadas-llaves')
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: rpId,
    rpID: rpId,
    challenge: await makeChallenge(db, `add:${session.signInId}`, now()),
    userName: owner.user_name,
    userDisplayName: owner.user_name,
    userID: new TextEncoder().encode(accountOf(owner)),
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({
      id,
      transports: JSON.parse(transports) as string[],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs,
  })
}

async function add(
  { db, now, log }: LoginOptions,
  { session, site, made }: { session: SessionInfo; site: SiteOfKeys; made: NewPasskey },
): Promise<Passkey> {
  const { response, name } = made
  const challenge = await challengeOf(response)
  const given = { challenge, purpose: `add:${session.signInId}` } as const
  if (!(await transact(db, (t) => spendChallenge(t, given, now())))) {
    throw new Problem('llave-no-valida')
  }
  const credential = await verifyNew(response, site, challenge)
  const passkey = await transact(db, async (t) => {
    // First: a reset of the password, which ends all sessions and passkeys, is waited for, and one that comes later finds this.
    await raiseRevision(t, accessKind)
    if (!(await isOpen(t, session.tokenHash))) throw sessionNeeded()
    if ((await passkeysOf(t, session.ownerId)).length >= maxPasskeys) {
      throw new Problem('demasiadas-llaves')
    }
    return insertPasskey(t, {
      owner_id: session.ownerId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      rp_id: site.rpId,
      name,
      created_at: now().toISOString(),
    })
  })
  if (!passkey) throw new Problem('llave-no-valida')
  log('passkey-added')
  return passkey
}

/** Attestation is neither requested nor checked. */
async function verifyNew(
  response: RegistrationResponseJSON,
  { origin, rpId }: SiteOfKeys,
  expectedChallenge: string,
) {
  const { verifyRegistrationResponse } = await library()
  const { decodeAttestationObject, isoBase64URL } = await helpers()
  try {
    const told = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject))
    const isPlain = told.get('fmt') === 'none'
    const isSelfSigned = told.get('fmt') === 'packed' && !told.get('attStmt').get('x5c')
    if (!isPlain && !isSelfSigned) throw new TypeError('an attestation nobody asked for')
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs,
    })
    if (verified) return registrationInfo.credential
  } catch (cause) {
    throw new Problem('llave-no-valida', { cause })
  }
  throw new Problem('llave-no-valida')
}

/** Each sign-in is counted like one by password. */
function createSignIn({ db, now, log, limits }: LoginOptions): Passkeys['signIn'] {
  const refused = createThrottledLog(log, now)
  const memory = createLoginMemory(now, limits.login.windowMs)
  const networks = createKnownNetworks(now)
  return async (site, { response, address, device }) => {
    const key = `passkey:${address}`
    const from = address.replace(/\.\d+$/, '.0/24')
    const closedS = memory.waitOf([key])
    if (closedS > 0) throw tooMany(closedS * 1000)
    const { allowed, retryAfterS } = await hit(db, key, { ...limits.login, now: now() })
    if (!allowed) {
      // The next attempts are refused from memory and not logged: this line stands for all of them.
      memory.close(key, retryAfterS)
      refused('passkey-sign-in', 'throttled', () => ({ outcome: 'throttled', from }))
      throw tooMany(retryAfterS * 1000)
    }
    const challenge = await challengeOf(response)
    const given = { challenge, purpose: 'sign-in' } as const
    const isOurs = await transact(db, (t) => spendChallenge(t, given, now()))
    const passkey = await findPasskey(db, { credentialId: response.id, rpId: site.rpId })
    const counter =
      isOurs && passkey ? await countOf({ response, site, passkey, challenge }) : undefined
    const owner = await readOwner(db)
    const session =
      passkey && counter !== undefined && owner?.id === passkey.owner_id
        ? await transact(db, async (t) => {
            if (!(await markUsed(t, passkey, { counter, now: now() }))) return undefined
            await forgetHits(t, key)
            await networks.add(t, address)
            return startSession(t, { owner, device, now: now() })
          })
        : undefined
    if (!session) {
      refused('passkey-sign-in', 'refused', () => ({ outcome: 'refused', from }))
      throw new Problem('credenciales-incorrectas')
    }
    log('passkey-sign-in', { outcome: 'ok', from })
    return session
  }
}

/** The signature counter when the signature holds; undefined otherwise. */
async function countOf({
  response,
  site: { origin, rpId },
  passkey,
  challenge: expectedChallenge,
}: {
  readonly response: AuthenticationResponseJSON
  readonly site: SiteOfKeys
  readonly passkey: TableRow<'passkey'>
  readonly challenge: string
}): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    // Whatever is wrong, the person reads the one sentence of every failed sign-in.
    return undefined
  }
}

/** Empty when the answer names none. */
async function challengeOf({
  response,
}: RegistrationResponseJSON | AuthenticationResponseJSON): Promise<string> {
  const { decodeClientDataJSON } = await helpers()
  try {
    const { challenge } = decodeClientDataJSON(response.clientDataJSON)
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}
