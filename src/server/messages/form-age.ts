import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { dayMs } from '#contract/durations.ts'
import { readFact, settleFact } from '../db/site-facts.ts'
import type { Executor } from '../db/tables.ts'

/** Tells how old a form is that comes back without JavaScript, from a mark that only this site can make. */
export interface FormAge {
  /** The mark of a form drawn now, fit for an address. */
  mark(): string
  /** Milliseconds since the form was drawn; undefined for no mark, a forged one or one of another week. */
  read(mark: string): number | undefined
}

const factKey = 'form-secret'
const longestMs = 7 * dayMs

/** The secret lives in the database: marks outlast a restart, and every process of the site reads them. */
export async function openFormAge(x: Executor, now: () => Date): Promise<FormAge> {
  const kept = await readFact(x, factKey)
  const secret = kept ?? (await settleFact(x, factKey, randomBytes(32).toString('base64url')))
  return createFormAge(secret, now)
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
