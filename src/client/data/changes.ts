import type { QueryClient } from '@tanstack/react-query'
import { v7 as newId } from 'uuid'
import { calls, idempotencyHeader, parseEntry, parsePerson } from '#contract/api.ts'
import type { Draft } from '#contract/fields.ts'
import { personId } from '#contract/limits.ts'
import { logProblem } from '#client/platform/log.ts'
import { ApiError, callApi, type Answer } from './api.ts'
import type { Change, Outcome } from './change.ts'
import { showChange } from './change-cache.ts'
import { uploadImage } from './image-upload.ts'
import { getSession, sessionRenewed } from './session.ts'
import { whileWriting } from './unsaved.ts'

export interface SubmitOptions {
  readonly queryClient: QueryClient
  /** Told how much of the picture is up, from 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/**
 * Sends a change of the owner: the picture first, then the call, and shows the server's row everywhere.
 * The only door to the write calls. Never throws; waits for a new sign-in when the session has expired.
 */
export function submitChange(change: Change, options: SubmitOptions): Promise<Outcome> {
  return whileWriting(() => attempt(change, newId(), options))
}

async function attempt(change: Change, key: string, options: SubmitOptions): Promise<Outcome> {
  try {
    const answer = await sendWithImage(change, key, options.onProgress)
    await showChange(options.queryClient, change, answer)
    return { state: 'done' }
  } catch (error) {
    if (!(error instanceof ApiError)) {
      logProblem(`No answer to a change (${change.kind})`, error)
      return { state: 'unsent', cause: error }
    }
    if (error.status === 401 && (await sessionRenewed())) return attempt(change, key, options)
    logProblem(`The server refused a change (${change.kind})`, error)
    return { state: 'refused', error }
  }
}

async function sendWithImage(
  change: Change,
  key: string,
  onProgress: (share: number) => void = () => undefined,
): Promise<unknown> {
  if (change.kind === 'remove' || change.kind === 'settings') return send(change, {}, key)
  return send(change, await uploadImage(change, onProgress), key)
}

/** The call itself; a change that turns out to have arrived before, its answer lost, counts as sent. */
async function send(change: Change, uploaded: Draft, key: string): Promise<unknown> {
  try {
    return (await call(change, uploaded, key)).json
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (change.kind === 'create' && error.code === 'ya-existe') {
      // Nobody else makes this id: the entry is ours, perhaps with an older text.
      return (
        await write('PUT', `${change.section.key}/update/${change.id}`, {
          body: { ...change.draft, ...uploaded },
        })
      ).json
    }
    if (change.kind === 'remove' && error.status === 404) return undefined
    if (error.status === 412 && isAlreadyStored(change, uploaded, error.current))
      return error.current
    throw error
  }
}

function call(change: Change, uploaded: Draft, key: string): Promise<Answer> {
  if (change.kind === 'settings') return write('PUT', calls.config, { body: change.patch, key })
  if (change.kind === 'create') {
    const body = { id: change.id, ...change.draft, ...uploaded }
    return write('POST', `${change.section.key}/create`, { body, key })
  }
  const { version } = change
  if (change.kind === 'remove') {
    return write('DELETE', `${change.section.key}/delete/${change.id}`, { key, version })
  }
  const path =
    change.kind === 'person'
      ? `${calls.personUpdate}/${personId}`
      : `${change.section.key}/update/${change.id}`
  return write('PUT', path, { body: { ...change.patch, ...uploaded }, key, version })
}

interface Write {
  readonly body?: unknown
  readonly key?: string
  readonly version?: number
}

function write(method: 'POST' | 'PUT' | 'DELETE', path: string, { body, key, version }: Write) {
  return callApi(method, path, {
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(key === undefined ? {} : { [idempotencyHeader]: key }),
      ...(version === undefined ? {} : { 'If-Match': `"v${version}"` }),
    },
    token: getSession().token,
  })
}

function isAlreadyStored(change: Change, uploaded: Draft, current: unknown): boolean {
  if (change.kind !== 'update' && change.kind !== 'person') return false
  const { fields } =
    change.kind === 'update' ? parseEntry(change.section, current) : parsePerson(current)
  return Object.entries({ ...change.patch, ...uploaded }).every(
    ([name, value]) => fields[name] === value,
  )
}
