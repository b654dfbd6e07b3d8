import { accessCalls, parseSession } from '#contract/access/access.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { loginTexts } from '#contract/access/login.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { signWithPasskey } from './passkey.ts'
import { ApiError, callApi, type ApiAnswer } from '#client/data/api.ts'
import { keepSession } from './kept-session.ts'
import { getSession } from '#client/data/session.ts'
import { endOverdue } from '#client/session/renewal.ts'
import { logIn } from '#client/session/session-change.ts'

interface Credentials {
  readonly userName: string
  readonly password: string
  readonly isKept: boolean
}

/**
 * How a login ended: `wrong` was refused, `impossible` could not be tried, for `unused` no passkey was used; `why` is for
 * people.
 */
export type LoginResult =
  /** `isUnkept`: the session was to be kept on this device, and is not. */
  | { readonly state: 'in'; readonly isUnkept?: boolean }
  | { readonly state: 'wrong' | 'impossible'; readonly why: string }
  | { readonly state: 'unused' }

/** Never rejects; the console gets the server's reason, and an old token is not sent along. */
export function signIn({ userName, password, isKept }: Credentials): Promise<LoginResult> {
  return begin(isKept, () => callApi('POST', ownerCalls.login, { body: { userName, password } }))
}

/** Signs in by a passkey of this device, as `signIn` does by the password. */
export function signInByPasskey(isKept: boolean): Promise<LoginResult> {
  return begin(isKept, async () => {
    const { json } = await callApi('POST', accessCalls.passkeyChallenge, { body: {} })
    const response = await signWithPasskey(json)
    return response && callApi('POST', accessCalls.passkeySignIn, { body: { response } })
  })
}

/** Begins the session that an answer brings; undefined is a passkey that was not used. */
async function begin(
  isKept: boolean,
  call: () => Promise<ApiAnswer | undefined>,
): Promise<LoginResult> {
  try {
    const answer = await call()
    if (!answer) return { state: 'unused' }
    logIn(parseSession(answer.json))
    if (!isKept) endOverdue()
    return { state: 'in', ...(isKept && !(await isKeptNow()) && { isUnkept: true }) }
  } catch (error) {
    const answer = error instanceof ApiError ? error : undefined
    logProblem(answer?.mensaje ?? loginTexts.logged)
    if (answer === undefined) {
      return { state: 'impossible', why: navigator.onLine ? loginTexts.silent : loginTexts.offline }
    }
    const isRefusal = answer.status < 500 && answer.status !== 429
    if (isRefusal || answer.mensaje === undefined) return { state: 'wrong', why: loginTexts.wrong }
    return { state: 'impossible', why: answer.mensaje }
  }
}

export interface NewCredentials {
  readonly token: string
  readonly userName: string
  readonly password: string
  readonly keepSample: boolean
}

/** What a one-time link is for; undefined when it serves no more. Rejects when no answer came. */
export async function linkPurpose(token: string): Promise<'setup' | 'reset' | undefined> {
  if (token === '') return undefined
  try {
    const { json } = await callApi('POST', ownerCalls.setupCheck, { body: { token } })
    const purpose = typeof json === 'object' && json !== null && 'purpose' in json && json.purpose
    return purpose === 'setup' || purpose === 'reset' ? purpose : undefined
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}

/** Spends a one-time link and signs in with the new credentials. Throws like every call. */
export async function redeemLink(redemption: NewCredentials): Promise<void> {
  const { json } = await callApi('POST', ownerCalls.setup, { body: redemption })
  logIn(parseSession(json))
}

/** Ends every session but this one. Throws like every call. */
export async function logOutOthers(): Promise<void> {
  await callApi('POST', ownerCalls.logoutOthers, { token: getSession().token })
}

/** The faulty fields of a refusal, by name. */
export function fieldErrorsOf({ errors }: ApiError): Readonly<Record<string, string>> {
  return Object.fromEntries(
    errors.map(({ pointer, mensaje }) => [pointer.replace(/^\//, ''), mensaje]),
  )
}

/** Keeps the session that was just begun; resolves to whether it is kept. */
async function isKeptNow(): Promise<boolean> {
  try {
    await keepSession()
    return true
  } catch (error) {
    logProblem('The session is not kept on this device', error)
    return false
  }
}
