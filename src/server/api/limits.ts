import * as v from 'valibot'
import { configTexts } from '#contract/texts/config.ts'

export interface RateLimit {
  readonly limit: number
  readonly windowMs: number
}

const rate = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,6}\/[1-9]\d{0,6}$/, configTexts.rate),
  v.transform((text): RateLimit => {
    const [limit = 0, seconds = 0] = text.split('/').map(Number)
    return { limit, windowMs: seconds * 1000 }
  }),
)

/** `LIMIT_CONTACT=5/600` means five in 600 seconds. */
export const limitVariables = {
  LIMIT_LOGIN: v.optional(rate, '10/900'),
  LIMIT_ACCOUNT: v.optional(rate, '100/3600'),
  LIMIT_CONTACT: v.optional(rate, '5/600'),
  LIMIT_CONTACT_TOTAL: v.optional(rate, '60/3600'),
  LIMIT_UPLOADS: v.optional(rate, '60/3600'),
  LIMIT_WRITES: v.optional(rate, '600/600'),
  LIMIT_READS: v.optional(rate, '600/60'),
  LIMIT_POSTS: v.optional(rate, '60/60'),
  LIMIT_RENEWALS: v.optional(rate, '60/60'),
  LIMIT_DRAWINGS: v.optional(rate, '30/60'),
  LIMIT_RECOVER: v.optional(rate, '3/3600'),
}

type LimitValues = Readonly<Record<keyof typeof limitVariables, RateLimit>>

/** The limits of requests, as the configuration sets them. */
export function limitsOf(set: LimitValues) {
  return {
    login: set.LIMIT_LOGIN,
    account: set.LIMIT_ACCOUNT,
    contact: set.LIMIT_CONTACT,
    contactTotal: set.LIMIT_CONTACT_TOTAL,
    uploads: set.LIMIT_UPLOADS,
    writes: set.LIMIT_WRITES,
    reads: set.LIMIT_READS,
    posts: set.LIMIT_POSTS,
    renewals: set.LIMIT_RENEWALS,
    drawings: set.LIMIT_DRAWINGS,
    recover: set.LIMIT_RECOVER,
  } as const satisfies Readonly<Record<string, RateLimit>>
}

export type LimitName = keyof ReturnType<typeof limitsOf>
