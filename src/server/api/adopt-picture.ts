import { imageFieldOf, type FieldValues, type Fields } from '#contract/fields.ts'
import type { Executor } from '../db/tables.ts'
import type { ImageStore } from '../images/store.ts'
import { Problem } from '../problem.ts'

const uploaded = /^\/media\/(?<file>(?<hash>[0-9a-f]{40})\.[\w.-]+)$/

/** A picture of this site that is to be shown. */
interface NamedPicture {
  readonly address: string
  readonly hash: string
  readonly isThere: boolean
}

/** The picture that these values show; undefined for none, and for one of elsewhere. A bucket may take its time to answer. */
export async function findPicture(
  images: Pick<ImageStore, 'isThere'>,
  fields: Fields,
  values: FieldValues,
): Promise<NamedPicture | undefined> {
  const address = values[imageFieldOf(fields) ?? ''] ?? ''
  const { hash, file } = uploaded.exec(address)?.groups ?? {}
  if (hash === undefined || file === undefined) return undefined
  return { address, hash, isThere: await images.isThere(file) }
}

/**
 * Takes the mark off a picture that is to be shown, so that no sweep takes it in this moment; what these fields show already
 * may stay. Throws 422 when this site does not have it, or no more: whoever uploaded it long ago has to do so again.
 */
export async function adoptPicture(
  x: Executor,
  picture: NamedPicture | undefined,
  former: FieldValues = {},
): Promise<void> {
  if (!picture || Object.values(former).includes(picture.address)) return
  const row = await x
    .updateTable('image')
    .set({ orphan_since: null })
    .where('hash', '=', picture.hash)
    .returning('hash')
    .executeTakeFirst()
  if (!row || !picture.isThere) throw new Problem('imagen-perdida')
}
