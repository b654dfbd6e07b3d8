import { sql, type RawBuilder } from 'kysely'
import { altField } from '#contract/images/alternative-text.ts'
import { imageFieldOf, type Fields, type FieldValues } from '#contract/fields.ts'

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
