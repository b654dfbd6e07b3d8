import { calls } from '#contract/api.ts'
import { loginTexts } from '#contract/login.ts'
import type { Session } from '#contract/session.ts'
import { logProblem } from '#client/platform/log.ts'
import { ApiError, callApi } from './api.ts'
import { getSession, logIn } from './session.ts'

/** How a login ended: `wrong` is the product's failed login, `impossible` that it could not be tried; `why` is for people. */
export type LoginResult =
  | { readonly state: 'in' }
  | { readonly state: 'wrong' | 'impossible'; readonly why: string }

/** Signs in; the console learns the server's reason. An old token is not sent along. */
export async function signIn(userName: string, password: string): Promise<LoginResult> {
  try {
    const { json } = await callApi('POST', calls.login, { body: { userName, password } })
    logIn(parseSession(json))
    return { state: 'in' }
  } catch (error) {
    const answer = error instanceof ApiError ? error : undefined
    logProblem(answer?.mensaje ?? loginTexts.logged)
    if (answer === undefined) return { state: 'impossible', why: loginTexts.offline }
    const isRefusal = answer.status < 500 && answer.status !== 429
    if (isRefusal || answer.mensaje === undefined) return { state: 'wrong', why: loginTexts.wrong }
    return { state: 'impossible', why: answer.mensaje }
  }
}

export interface Redemption {
  readonly token: string
  readonly userName: string
  readonly password: string
  readonly keepSample: boolean
}

/** What a one-time link is for; undefined when it serves no more. Rejects when no answer came. */
export async function linkPurpose(token: string): Promise<'setup' | 'reset' | undefined> {
  if (token === '') return undefined
  try {
    const { json } = await callApi('POST', calls.setupCheck, { body: { token } })
    const purpose = typeof json === 'object' && json !== null && 'purpose' in json && json.purpose
    return purpose === 'setup' || purpose === 'reset' ? purpose : undefined
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}

/** Spends a one-time link and signs in with the new credentials. Throws like every call. */
export async function redeemLink(redemption: Redemption): Promise<void> {
  const { json } = await callApi('POST', calls.setup, { body: redemption })
  logIn(parseSession(json))
}

/** Changes the password; the other sessions end. Throws like every call. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  const body = { currentPassword, newPassword }
  await callApi('POST', calls.password, { body, token: getSession().token })
}

/** Ends every session but this one. Throws like every call. */
export async function logOutOthers(): Promise<void> {
  await callApi('POST', calls.logoutOthers, { token: getSession().token })
}

/** The faulty fields of a refusal, by name. */
export function fieldErrorsOf({ errors }: ApiError): Readonly<Record<string, string>> {
  return Object.fromEntries(
    errors.map(({ pointer, mensaje }) => [pointer.replace(/^\//, ''), mensaje]),
  )
}

function parseSession(json: unknown): Session {
  const { token, userName, authorities } = (json ?? {}) as Partial<Record<keyof Session, unknown>>
  if (typeof token !== 'string' || typeof userName !== 'string' || !Array.isArray(authorities)) {
    throw new TypeError('a login answered without a session')
  }
  return { token, userName, authorities: authorities as Session['authorities'] }
}
