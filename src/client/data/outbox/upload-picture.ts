import { calls } from '#contract/api.ts'
import { writeWithinMs } from '#contract/durations.ts'
import { imageFieldOf, type Draft } from '#contract/fields.ts'
import { personId } from '#contract/limits.ts'
import { personFields, personImages } from '#contract/person.ts'
import { firebaseTexts, firebaseTokenCall } from '#contract/firebase-words.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { logProblem } from '#client/platform/log.ts'
import { uploadWith } from '#client/platform/upload.ts'
import { ApiError, callApi } from '../api.ts'
import { getSession } from '../session.ts'
import type { Operation } from './operation.ts'
import { sectionOf } from './section-of.ts'

/** Uploads an operation's picture and gives the field that then holds its address; the same picture again gives the same address. */
export async function uploadPicture(
  operation: Operation,
  picture: Blob,
  onProgress: (share: number) => void,
): Promise<Draft> {
  const { type, name, field } = picturePlace(operation)
  if (field === undefined) return {}
  try {
    const upload = import.meta.env.VITE_FIREBASE_IMAGES ? toFirebase : toServer
    return { [field]: await upload({ type, name, picture, onProgress }) }
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.code === 'categoria-no-valida'
    logProblem(isUnknown ? ownerTexts.unknownCategory : ownerTexts.uploadFailed, error)
    throw error
  }
}

interface Upload {
  readonly type: string
  readonly name: string
  readonly picture: Blob
  readonly onProgress: (share: number) => void
}

async function toServer({ type, name, picture, onProgress }: Upload): Promise<string> {
  const path = `${calls.image}/${type}?name=${encodeURIComponent(name)}`
  const { json } = await callApi('PUT', path, {
    body: picture,
    // The type is sent by hand: a file chosen without one would go as `application/octet-stream` in some browsers only.
    headers: { 'Content-Type': picture.type || 'application/octet-stream' },
    token: getSession().token,
    send: uploadWith(onProgress),
  })
  return textOf(json, 'url')
}

async function toFirebase({ name, picture, onProgress }: Upload): Promise<string> {
  const { storePicture } = await import('#client/platform/firebase/images.ts')
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

/** Firebase's rules do not allow it, however often it is tried. */
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
  if (subject.on !== 'entry') {
    const { type, editName } = personImages
    return { type, name: editName + personId, field: imageFieldOf(personFields) }
  }
  const { images, fields } = sectionOf(subject)
  const name = verb === 'create' ? images.newName + id : images.editName + subject.id
  return { type: images.type, name, field: imageFieldOf(fields) }
}

/** A member of an answer that has to be a text. */
function textOf(json: unknown, name: 'url' | 'token'): string {
  const record = typeof json === 'object' && json !== null ? json : {}
  const text: unknown = Object.entries(record).find(([key]) => key === name)?.[1]
  if (typeof text !== 'string') throw new TypeError(`an upload answered without its ${name}`)
  return text
}
