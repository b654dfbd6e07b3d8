import { Hono } from 'hono'
import { calls, formAgeHeader, honeypotHeader } from '#contract/api.ts'
import { contactFields, contactNotices } from '#contract/contact.ts'
import { checkDraft } from '#contract/validate.ts'
import type { Parts } from '../parts.ts'
import { readJson } from './body.ts'
import { valueOf } from './checked.ts'
import { storeMessage } from './contact-message.ts'
import type { AppEnv } from './env.ts'
import { clientAddress } from './guard.ts'
import { answerOnce } from './idempotency.ts'

/** `POST contact` with exactly `{name, email, message}`, for everybody. */
export function contactRoutes(parts: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.post(`/${calls.contact}`, async (c) => {
    const sent = await readJson(c)
    const message = {
      draft: valueOf(checkDraft(contactFields, 'create', sent)),
      address: clientAddress(c, parts.config),
      honeypot: c.req.header(honeypotHeader) ?? '',
      ageMs: readAge(c.req.header(formAgeHeader)),
    }
    const answer = await answerOnce(c, parts, {
      sent,
      effect: async (t) => {
        await storeMessage(t, parts, message)
        return { status: 201, body: { mensaje: contactNotices.sent } }
      },
    })
    parts.jobs.wake()
    return answer
  })
  return app
}

function readAge(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
