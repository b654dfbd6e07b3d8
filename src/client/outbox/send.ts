import { parsePerson, type LastChange } from '#contract/api.ts'
import type { FieldValues } from '#contract/fields.ts'
import { parseOwnEntry } from '#contract/entries/hidden.ts'
import { outboxTexts } from '#contract/texts/outbox.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { ApiError } from '#client/data/api.ts'
import { getSession } from '#client/data/session.ts'
import type { Operation, Refusal, Subject } from './operation.ts'
import type { Answer, Sending } from './ports.ts'
import { hasValues, readNow, requestChange, versionOf } from './requests.ts'
import { isTemporary } from './retry-rule.ts'
import { sectionOf } from './section-of.ts'
import { PictureRefused, uploadPicture } from './upload-picture.ts'

/** Hands one operation to the server, its picture first; whatever happens is an answer, never an exception. */
export async function sendOperation(operation: Operation, sending: Sending): Promise<Answer> {
  const { token } = getSession()
  try {
    const { json, isElsewhere } = await deliverWhole(operation, sending)
    return { is: 'applied', json, ...(!isElsewhere && versionOf(json)) }
  } catch (error) {
    const answer = answerOf(operation, error)
    if (answer.is !== 'login') {
      logProblem(`A change was not taken (${operation.subject.on}, ${operation.verb})`, error)
      return answer.is === 'refused' ? certain(operation, answer) : answer
    }
    // Somebody signed in meanwhile: it was the old session that was refused.
    const isRenewed = token !== getSession().token
    return isRenewed ? { is: 'later', isTrouble: true, afterMs: 0 } : answer
  }
}

/** The change with its picture, which goes up again where the server has it no more: the first time may be long ago. */
async function deliverWhole(operation: Operation, sending: Sending): Promise<Delivered> {
  try {
    return await deliver(operation, await placePicture(operation, sending))
  } catch (error) {
    const isLost = error instanceof ApiError && error.code === 'imagen-perdida'
    if (!isLost || !operation.image?.address || !sending.picture) throw error
    const { address: _, ...image } = operation.image
    return deliver(operation, await placePicture({ ...operation, image }, sending))
  }
}

/** The field that holds the picture's address; it is uploaded once, and what answered that upload is kept before it is used. */
async function placePicture(
  operation: Operation,
  { picture, onProgress, keepAddress }: Sending,
): Promise<FieldValues> {
  const { image } = operation
  if (!image) return {}
  if (image.address !== undefined) {
    onProgress(1)
    return { [image.field]: image.address }
  }
  if (!picture) throw new PictureRefused(outboxTexts.pictureLost)
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
  if (error instanceof IdTaken) return { is: 'taken' }
  if (!(error instanceof ApiError)) return { is: 'later', isTrouble: false }
  if (isAboutSession(operation, error)) return { is: 'login' }
  if (!isTemporary(error.status)) return { is: 'refused', refusal: refusalOf(operation, error) }
  const { retryAfterMs } = error
  return {
    is: 'later',
    isTrouble: true,
    ...(retryAfterMs !== undefined && { afterMs: retryAfterMs }),
    ...(error.code === 'mantenimiento' && { isReadOnly: true }),
  }
}

function refusalOf(operation: Operation, error: ApiError): Refusal {
  const errors = error.errors.map(({ pointer, mensaje }) => [pointer.slice(1), mensaje] as const)
  return {
    code: error.code ?? String(error.status),
    reason: error.mensaje ?? error.message,
    ...(errors.length > 0 && { errors: Object.fromEntries(errors) }),
    ...(error.current !== undefined && {
      current: { ...parseRow(operation, error.current), ...changeOf(error.current) },
    }),
  }
}

type Refused = Extract<Answer, { is: 'refused' }>

/**
 * The server's no to a change that was on its way before, once it is certain that it did not arrive then: what is refused
 * counts as not done, when it is edited, removed or forgotten.
 */
async function certain(operation: Operation, refused: Refused): Promise<Answer> {
  const { subject, tries, image, values } = operation
  // What is kept of a résumé, and a mark, take the place of what arrived before.
  if (tries < 2 || refused.refusal.current || isWithoutRow(subject)) return refused
  // Its address is kept before the change itself leaves for the first time.
  if (image && image.address === undefined) return refused
  const sent = { ...values, ...(image?.address && { [image.field]: image.address }) }
  try {
    const json = await found({ ...operation, values: sent })
    if (json === undefined) return refused
    return { is: 'applied', json, ...madeBy({ ...operation, values: sent }, json) }
  } catch (error) {
    logProblem('It is not known whether a change arrived', error)
    return { is: 'later', isTrouble: false }
  }
}

/** What nobody can read by itself, or has no versions. */
function isWithoutRow({ on }: Subject): boolean {
  return ['message', 'resume', 'answer', 'order'].includes(on)
}

/** The version that a new entry has. That an edit made one too is not known: another device may say the same, and more. */
function madeBy({ verb, values }: Operation, json: unknown) {
  return verb === 'create' && hasValues(json, values) ? versionOf(json) : {}
}

/** What the server has of an operation that arrived; undefined where it did not. */
async function found({ subject, verb, values }: Operation): Promise<unknown> {
  try {
    const json = await readNow(subject)
    const isThere =
      verb === 'create' || verb === 'restore' || (verb === 'update' && hasValues(json, values))
    return isThere ? json : undefined
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    return verb === 'remove' ? {} : undefined
  }
}

/** The new entry's id belongs to another. */
class IdTaken extends Error {}

interface Delivered {
  readonly json: unknown
  /** Somebody else has made it so, perhaps with more that nobody here has seen: what was built on it keeps its own version. */
  readonly isElsewhere?: boolean
}

/** The call itself; one that turns out to have arrived before, its answer lost, counts as done. */
async function deliver(operation: Operation, uploaded: FieldValues): Promise<Delivered> {
  const wanted = { ...operation.values, ...uploaded }
  try {
    return { json: await requestChange(operation, uploaded) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'ya-existe' && error.current !== undefined) {
      // The key is known for a month only, so the entry tells whose it is.
      if (hasValues(error.current, wanted)) return { json: error.current }
      throw new IdTaken('another entry has this id', { cause: error })
    }
    const isKnown = error.code === 'clave-reutilizada'
    // Alone and handed over for the first time, it arrived with its edits, by a page that the device kept them from.
    const isWithin = isKnown && operation.tries <= 1 && !operation.changes
    if (isWithin && error.current) return { json: error.current, isElsewhere: true }
    const next = isKnown && !isAgain(operation) ? onTopOf(operation, error.current) : undefined
    if (next) return deliver(next, uploaded)
    const isGone = operation.verb === 'remove' || operation.verb === 'erase'
    if (isGone && error.status === 404) return { json: undefined }
    const isDone = error.code === 'version-cambiada' && operation.verb === 'update'
    if (isDone && hasValues(error.current, wanted)) {
      // Had it arrived before, the server would know its key.
      return { json: error.current, isElsewhere: true }
    }
    throw error
  }
}

/**
 * The operation on top of what arrived of it earlier, under a key of its own: the server says that it has done something else
 * under this one, and which row that made. Undefined for what has no versions.
 */
function onTopOf(operation: Operation, made: unknown): Operation | undefined {
  const { id, verb } = operation
  const version = operation.version ?? versionOf(made).version
  if (version === undefined) return undefined
  const key = `${id}${againMark}${version}`
  return verb === 'create'
    ? { ...operation, id: key, verb: 'update', version }
    : { ...operation, id: key }
}

const againMark = '-v'
const isAgain = ({ id }: Operation) => id.includes(againMark)

/** What the server wrote down of how its row came to be so. */
function changeOf(current: unknown): { readonly changed?: LastChange } {
  const { changed } = current as { readonly changed?: LastChange }
  return changed ? { changed } : {}
}

/** The server's row out of an answer about this operation's subject. */
function parseRow({ subject }: Operation, json: unknown): { version: number; fields: FieldValues } {
  if (subject.on === 'settings') {
    const texts = Object.entries(json ?? {}).filter(([, value]) => typeof value === 'string')
    return { version: 0, fields: Object.fromEntries(texts) }
  }
  const { version, fields } =
    subject.on === 'entry' ? parseOwnEntry(sectionOf(subject), json) : parsePerson(json)
  return { version, fields }
}
