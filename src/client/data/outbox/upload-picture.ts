import { calls } from '#contract/api.ts'
import { imageFieldOf, type Draft } from '#contract/fields.ts'
import { personId } from '#contract/limits.ts'
import { personFields, personImages } from '#contract/person.ts'
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
    const path = `${calls.image}/${type}?name=${encodeURIComponent(name)}`
    const { json } = await callApi('PUT', path, {
      body: picture,
      // The type is sent by hand: a file chosen without one would go as `application/octet-stream` in some browsers only.
      headers: { 'Content-Type': picture.type || 'application/octet-stream' },
      token: getSession().token,
      send: uploadWith(onProgress),
    })
    return { [field]: parseUrl(json) }
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.code === 'categoria-no-valida'
    logProblem(isUnknown ? ownerTexts.unknownCategory : ownerTexts.uploadFailed, error)
    throw error
  }
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

function parseUrl(json: unknown): string {
  const url = typeof json === 'object' && json !== null && 'url' in json ? json.url : undefined
  if (typeof url !== 'string') throw new TypeError('an upload answered without an address')
  return url
}
