import { sql, type RawBuilder } from 'kysely'
import { imageFieldOf, type Fields, type FieldValues } from '#contract/fields.ts'
import { altField } from '#contract/images/alternative-text.ts'

/*
 * What changes of entries and of the profile have in common. Every change of what the site says raises its kind's revision
 * first and in the same transaction; that row's lock puts changes of one kind in order on PostgreSQL too.
 */

/** What became of a change to one row. */
export type Changed<T> =
  | { readonly outcome: 'done'; readonly value: T }
  | { readonly outcome: 'missing' }
  /** The version named is no longer the current one. */
  | { readonly outcome: 'stale'; readonly current: T }

/** What is to change of one row. */
export interface Patch {
  readonly patch: FieldValues
  /** When it is changed: then what it says until now is kept in its history. */
  readonly now?: Date
}

/** What the patch sets, without anything that is not one of these fields. */
export function asStored(fields: Fields, patch: FieldValues) {
  const present = Object.entries(patch).filter(([name]) => Object.hasOwn(fields, name))
  return altWithPicture(fields, Object.fromEntries(present))
}

type Stored = Readonly<Record<string, string | RawBuilder<string>>>

/**
 * The values as a row keeps them: what a picture says goes with the picture, and where there is none nothing is said. What
 * stayed behind would be said of the next one.
 */
export function altWithPicture(fields: Fields, values: FieldValues): Stored {
  const image = imageFieldOf(fields)
  if (image === undefined) return values
  const { [image]: picture, [altField]: alt } = values
  if (picture === '') return { ...values, [altField]: '' }
  if (picture !== undefined || alt === undefined) return values
  const said = sql<string>`case when ${sql.ref(image)} = '' then '' else ${alt} end`
  return { ...values, [altField]: said }
}
