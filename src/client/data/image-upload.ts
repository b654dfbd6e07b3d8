import { v7 as newId } from 'uuid'
import { calls } from '#contract/api.ts'
import { imageFieldOf, type Draft } from '#contract/fields.ts'
import { personId } from '#contract/limits.ts'
import { personFields, personImages } from '#contract/person.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { logProblem } from '#client/platform/log.ts'
import { uploadWith } from '#client/platform/upload.ts'
import { ApiError, callApi } from './api.ts'
import type { Change } from './change.ts'
import { getSession } from './session.ts'

type WithImage = Exclude<Change, { kind: 'remove' | 'settings' }>

/** Uploads the change's picture and gives the field that then holds its address; nothing when it has none. */
export async function uploadImage(
  change: WithImage,
  onProgress: (share: number) => void,
): Promise<Draft> {
  const { type, name, field } = imagePlace(change)
  if (change.image === undefined || field === undefined) return {}
  try {
    const path = `${calls.image}/${type}?name=${encodeURIComponent(name)}`
    const { json } = await callApi('PUT', path, {
      body: change.image,
      // The type is sent by hand: a file chosen without one would go as `application/octet-stream` in some browsers only.
      headers: { 'Content-Type': change.image.type || 'application/octet-stream' },
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
export function imagePlace(change: WithImage): { type: string; name: string; field?: string } {
  if (change.kind === 'person') {
    return place(personImages.type, personImages.editName + personId, imageFieldOf(personFields))
  }
  const { images, fields } = change.section
  const name = change.kind === 'create' ? images.newName + newId() : images.editName + change.id
  return place(images.type, name, imageFieldOf(fields))
}

function place(type: string, name: string, field: string | undefined) {
  return field === undefined ? { type, name } : { type, name, field }
}

function parseUrl(json: unknown): string {
  const url = typeof json === 'object' && json !== null && 'url' in json ? json.url : undefined
  if (typeof url !== 'string') throw new TypeError('an upload answered without an address')
  return url
}
