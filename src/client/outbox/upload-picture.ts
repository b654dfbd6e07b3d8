import { ownerCalls } from '#contract/owner-calls.ts'
import { writeWithinMs } from '#contract/durations.ts'
import { imageFieldOf, type FieldValues } from '#contract/fields.ts'
import { personId } from '#contract/limits.ts'
import { personFields, personImages } from '#contract/person/person.ts'
import { firebaseTexts, firebaseTokenCall } from '#contract/texts/firebase.ts'
import { commonTexts } from '#contract/texts/forms.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { uploadWith } from '#client/browser/upload.ts'
import { ApiError, callApi } from '#client/data/api.ts'
import { getSession } from '#client/data/session.ts'
import type { Operation } from './operation.ts'
import { knownSection } from './section-of.ts'
import { tokenOf } from './token-of.ts'

/**
 * Resolves to the field with the picture's address, which may be another at the next upload; rejects with
 * `PictureRefused` where no further try can help, else like every call.
 */
export async function uploadPicture(
  operation: Operation,
  picture: Blob,
  onProgress: (share: number) => void,
): Promise<FieldValues> {
  const { type, name, field } = picturePlace(operation)
  if (field === undefined) return {}
  try {
    const upload = import.meta.env.VITE_FIREBASE_IMAGES ? toFirebase : toServer
    const token = tokenOf(operation)
    return { [field]: await upload({ type, name, picture, token, onProgress }) }
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.code === 'categoria-no-valida'
    logProblem(isUnknown ? commonTexts.unknownCategory : commonTexts.uploadFailed, error)
    throw error
  }
}

interface Upload {
  readonly type: string
  readonly name: string
  readonly picture: Blob
  readonly token: string | undefined
  readonly onProgress: (share: number) => void
}

async function toServer({ type, name, picture, token, onProgress }: Upload): Promise<string> {
  const path = `${ownerCalls.image}/${type}?name=${encodeURIComponent(name)}`
  const { json } = await callApi('PUT', path, {
    body: picture,
    // The type is sent by hand: a file chosen without one would go as `application/octet-stream` in some browsers only.
    headers: { 'Content-Type': picture.type || 'application/octet-stream' },
    token,
    send: uploadWith(onProgress),
  })
  return textOf(json, 'url')
}

async function toFirebase({ name, picture, onProgress }: Upload): Promise<string> {
  const { storePicture } = await import('#client/browser/firebase/images.ts')
  try {
    return await storePicture({ name, file: picture, token: firebaseToken, onProgress })
  } catch (cause) {
    throw isRefused(cause) ? new PictureRefused(firebaseTexts.pictureRefused, { cause }) : cause
  }
}

async function firebaseToken(): Promise<string> {
  const { json } = await callApi('POST', firebaseTokenCall, {
    token: getSession().token,
    signal: AbortSignal.timeout(writeWithinMs),
  })
  return textOf(json, 'token')
}

/** No further try can help: Firebase's rules do not allow the picture, or the device has lost it. */
export class PictureRefused extends Error {}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'storage/unauthorized'
}

/** Folder and storage name of the picture, as the product has always named them: new entries by a fresh id, others by their own. */
export function picturePlace({ id, subject, verb }: Operation): {
  readonly type: string
  readonly name: string
  readonly field: string | undefined
} {
  const section = subject.on === 'entry' ? knownSection(subject) : undefined
  const { type, newName, editName } = section?.images ?? personImages
  const owner = subject.on === 'entry' ? subject.id : personId
  const name = verb === 'create' ? newName + id : editName + owner
  const fields = subject.on === 'entry' ? section?.fields : personFields
  return { type, name, field: fields && imageFieldOf(fields) }
}

/** A member of an answer that has to be a text. */
function textOf(json: unknown, name: 'url' | 'token'): string {
  const record = typeof json === 'object' && json !== null ? json : {}
  const text: unknown = Object.entries(record).find(([key]) => key === name)?.[1]
  if (typeof text !== 'string') throw new TypeError(`an upload answered without its ${name}`)
  return text
}
