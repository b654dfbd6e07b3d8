import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { dayMs } from '#contract/durations.ts'
import type { Executor } from '../db/tables.ts'

/** Tells how old a form is that comes back without JavaScript, from a mark that only this site can make. */
export interface FormAge {
  /** The mark of a form drawn now, fit for an address. */
  mark(): string
  /** Milliseconds since the form was drawn; undefined for no mark, a forged one or one of another week. */
  read(mark: string): number | undefined
}

const secretKey = 'form-secret'
const longestMs = 7 * dayMs

/** The secret lives in the database: marks outlast a restart, and every process of the site reads them. */
export async function openFormAge(x: Executor, now: () => Date): Promise<FormAge> {
  const kept = await readSecret(x)
  if (kept !== undefined) return createFormAge(kept, now)
  const value = randomBytes(32).toString('base64url')
  await x
    .insertInto('site')
    .values({ key: secretKey, value })
    .onConflict((c) => c.doNothing())
    .execute()
  // When two processes start at once, only one of them makes the secret.
  return createFormAge((await readSecret(x)) ?? value, now)
}

async function readSecret(x: Executor): Promise<string | undefined> {
  const row = await x
    .selectFrom('site')
    .select('value')
    .where('key', '=', secretKey)
    .executeTakeFirst()
  return row?.value
}

function createFormAge(secret: string, now: () => Date): FormAge {
  const sign = (moment: string) =>
    createHmac('sha256', secret).update(moment).digest('base64url').slice(0, 22)
  return {
    mark() {
      const moment = now().getTime().toString(36)
      return `${moment}.${sign(moment)}`
    },
    read(mark) {
      const [moment = '', signature = ''] = mark.split('.')
      const [given, expected] = [Buffer.from(signature), Buffer.from(sign(moment))]
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      const ageMs = now().getTime() - Number.parseInt(moment, 36)
      return ageMs >= 0 && ageMs <= longestMs ? ageMs : undefined
    },
  }
}
