import { calls, formAgeHeader, honeypotHeader, idempotencyHeader } from '#contract/api.ts'
import { writeWithinMs } from '#contract/durations.ts'
import type { FieldValues } from '#contract/fields.ts'
import { formAgeOf, parseFormMark } from '#contract/messages/form-mark.ts'
import { ApiError, callApi } from '#client/data/api.ts'
import { getSession } from '#client/data/session.ts'

interface VisitorMessage {
  /** Exactly name, email and message: what goes beside them travels in headers. */
  readonly fields: FieldValues
  /** What stood in the field that people do not see. */
  readonly honeypot?: string
  /** How long the form had been on screen, in milliseconds; absent for a text that an earlier page kept. */
  readonly ageMs?: number
  /** What the server gave the form, where there was a connection. */
  readonly mark?: string
  /** The same at every try, so that the message arrives once. */
  readonly key: string
}

const externalUrl = import.meta.env.VITE_CONTACT_URL ?? ''

/** Asks the site's own server for what tells later how old a form is; undefined where another server takes messages. */
export async function fetchFormMark(): Promise<string | undefined> {
  if (externalUrl !== '') return undefined
  return parseFormMark((await callApi('GET', `${calls.contact}/mark`)).json)
}

/**
 * Sends a visitor's message to the site's own server, or to the address the build names instead.
 * Any success counts as sent. Rejects with `ApiError` when it was refused, otherwise when no answer came: a page to look at, or
 * the way to one, is none, since what it was sent to takes messages.
 */
export async function sendMessage({
  fields,
  honeypot = '',
  ageMs,
  mark,
  key,
}: VisitorMessage): Promise<void> {
  const signal = AbortSignal.timeout(writeWithinMs)
  if (externalUrl === '') {
    await callApi('POST', calls.contact, {
      body: fields,
      token: getSession().token,
      signal,
      headers: {
        [idempotencyHeader]: key,
        [formAgeHeader]: formAgeOf(ageMs, mark),
        // Headers hold ASCII only, and robots write anything.
        [honeypotHeader]: encodeURIComponent(honeypot),
      },
    })
    return
  }
  // A stranger's server: it gets the message and nothing else, least of all the token.
  const response = await fetch(externalUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    credentials: 'omit',
    body: JSON.stringify(fields),
    signal,
    redirect: 'error',
  })
  const { status, headers } = response
  if (/\bhtml\b/.test(headers.get('Content-Type') ?? '')) throw new TypeError('not an answer')
  if (!response.ok) throw new ApiError({ status, headers, json: undefined })
}
