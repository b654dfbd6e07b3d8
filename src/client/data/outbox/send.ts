import { calls, idempotencyHeader, parseEntry, parsePerson } from '#contract/api.ts'
import { writeWithinMs } from '#contract/durations.ts'
import type { Draft } from '#contract/fields.ts'
import { personId } from '#contract/limits.ts'
import { queueTexts } from '#contract/texts-queue.ts'
import { logProblem } from '#client/platform/log.ts'
import { ApiError, callApi } from '../api.ts'
import { sendMessage } from '../contact.ts'
import { getSession } from '../session.ts'
import type { Operation, Refusal } from './operation.ts'
import type { Answer, Sending } from './parts.ts'
import { sectionOf } from './section-of.ts'
import { PictureRefused, uploadPicture } from './upload-picture.ts'

/** Statuses after which the same request may succeed: the server is busy with it, with others, or broken. */
const temporary: ReadonlySet<number> = new Set([408, 409, 425, 429])

/** Hands one operation to the server, its picture first; whatever happens is an answer, never an exception. */
export async function sendOperation(operation: Operation, sending: Sending): Promise<Answer> {
  const { token } = getSession()
  try {
    const uploaded = await placePicture(operation, sending)
    const json = await deliver(operation, uploaded)
    return { is: 'applied', json, ...versionOf(json) }
  } catch (error) {
    const answer = answerOf(operation, error)
    if (answer.is !== 'login') {
      logProblem(`A change was not taken (${operation.subject.on}, ${operation.verb})`, error)
      return answer
    }
    // Somebody signed in meanwhile: it was the old session that was refused.
    const isRenewed = token !== getSession().token
    return isRenewed ? { is: 'later', isTrouble: true, afterMs: 0 } : answer
  }
}

/** The field that holds the picture's address; it is uploaded once, and what answered that upload is kept before it is used. */
async function placePicture(
  operation: Operation,
  { picture, onProgress, keepAddress }: Sending,
): Promise<Draft> {
  const { image } = operation
  if (!image) return {}
  if (image.address !== undefined) {
    onProgress(1)
    return { [image.field]: image.address }
  }
  if (!picture) throw new PictureRefused(queueTexts.pictureLost)
  const uploaded = await uploadPicture(operation, picture, onProgress)
  const address = uploaded[image.field]
  if (address !== undefined) await keepAddress(address)
  return uploaded
}

/** Whether the server wants to know who is asking; it never does for a message. */
function isAboutSession({ subject }: Operation, error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && subject.on !== 'message'
}

function answerOf(operation: Operation, error: unknown): Answer {
  if (error instanceof PictureRefused) {
    return { is: 'refused', refusal: { code: 'imagen-no-admitida', reason: error.message } }
  }
  if (!(error instanceof ApiError)) return { is: 'later', isTrouble: false }
  if (isAboutSession(operation, error)) return { is: 'login' }
  const isTemporary =
    error.status >= 500 || (temporary.has(error.status) && error.code !== 'ya-existe')
  if (!isTemporary) return { is: 'refused', refusal: refusalOf(operation, error) }
  const { retryAfterMs } = error
  return {
    is: 'later',
    isTrouble: true,
    ...(retryAfterMs !== undefined && { afterMs: retryAfterMs }),
  }
}

function refusalOf(operation: Operation, error: ApiError): Refusal {
  const errors = error.errors.map(({ pointer, mensaje }) => [pointer.slice(1), mensaje] as const)
  return {
    code: error.code ?? String(error.status),
    reason: error.mensaje ?? error.message,
    ...(errors.length > 0 && { errors: Object.fromEntries(errors) }),
    ...(error.current !== undefined && { current: parseRow(operation, error.current) }),
  }
}

/** The call itself; one that turns out to have arrived before, its answer lost, counts as done. */
async function deliver(operation: Operation, uploaded: Draft): Promise<unknown> {
  const { subject, verb } = operation
  try {
    return await call(operation, uploaded)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (verb === 'create' && subject.on === 'entry' && error.code === 'ya-existe') {
      // Nobody else makes this id: the entry is ours, perhaps with an older text.
      const body = { ...operation.values, ...uploaded }
      return write('PUT', `${subject.section}/update/${subject.id}`, { body })
    }
    if (verb === 'remove' && error.status === 404) return undefined
    if (error.status === 412 && verb === 'update') {
      const row = parseRow(operation, error.current)
      const wanted = Object.entries({ ...operation.values, ...uploaded })
      if (wanted.every(([name, value]) => row.fields[name] === value)) return error.current
    }
    throw error
  }
}

function call(operation: Operation, uploaded: Draft): Promise<unknown> {
  const { subject, verb, id: key, values, version } = operation
  const body = { ...values, ...uploaded }
  if (subject.on === 'person') {
    return write('PUT', `${calls.personUpdate}/${personId}`, { body, key, version })
  }
  if (subject.on === 'settings') return write('PUT', calls.config, { body, key })
  if (subject.on === 'message') return sendMessage({ fields: values, ...operation.form, key })
  const { section, id } = subject
  if (verb === 'create') return write('POST', `${section}/create`, { body: { id, ...body }, key })
  if (verb === 'update') return write('PUT', `${section}/update/${id}`, { body, key, version })
  return write('DELETE', `${section}/delete/${id}`, { key, version })
}

interface Write {
  readonly body?: unknown
  readonly key?: string
  readonly version?: number | undefined
}

async function write(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  { body, key, version }: Write,
): Promise<unknown> {
  const { json } = await callApi(method, path, {
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(key === undefined ? {} : { [idempotencyHeader]: key }),
      ...(version === undefined ? {} : { 'If-Match': `"v${version}"` }),
    },
    token: getSession().token,
    // Its key makes a second try harmless, and whoever waits for this one holds up every page.
    signal: AbortSignal.timeout(writeWithinMs),
  })
  // Something between here and the server answers in its place, as the sign-in pages of public networks do.
  if (typeof json !== 'object' || json === null) throw new TypeError('not the answer of the server')
  return json
}

/** The server's row out of an answer about this operation's subject. */
function parseRow({ subject }: Operation, json: unknown): { version: number; fields: Draft } {
  const { version, fields } =
    subject.on === 'entry' ? parseEntry(sectionOf(subject), json) : parsePerson(json)
  return { version, fields }
}

function versionOf(json: unknown): { readonly version?: number } {
  const version =
    typeof json === 'object' && json !== null && 'version' in json ? json.version : undefined
  return typeof version === 'number' ? { version } : {}
}
