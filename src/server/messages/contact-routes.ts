import { Hono } from 'hono'
import { validate } from 'uuid'
import { calls, formAgeHeader, honeypotHeader, idempotencyHeader } from '#contract/api.ts'
import { contactFields, contactNotices } from '#contract/messages/contact.ts'
import { checkValues } from '#contract/validate.ts'
import type { Services } from '../services.ts'
import { readJson } from '../api/body.ts'
import { valueOrThrow } from '../api/checked.ts'
import { countingTries, storeMessage } from './contact-message.ts'
import type { AppEnv } from '../api/env.ts'
import { clientAddress } from '../api/guard.ts'
import { idempotent } from '../api/idempotency.ts'
import { noStore } from '../edge/shared-cache.ts'

/** `POST contact` with exactly `{name, email, message}`, for everybody, and the mark that tells how old a form is. */
export function contactRoutes(services: Services): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(`/${calls.contact}/mark`, (c) => c.json({ mark: services.formAge.mark() }, 200, noStore))
  app.post(`/${calls.contact}`, async (c) => {
    const sent = await readJson(c)
    const key = c.req.header(idempotencyHeader)
    const message = {
      ...(validate(key) && { id: key }),
      values: valueOrThrow(checkValues(contactFields, 'create', sent)),
      address: clientAddress(c, services.config),
      honeypot: c.req.header(honeypotHeader) ?? '',
      ...readAges(c.req.header(formAgeHeader) ?? '', services),
    }
    const answer = await countingTries(services, message, () =>
      idempotent(c, services, {
        sent,
        effect: async (t) => {
          await storeMessage(t, services, message)
          return { status: 201, body: { mensaje: contactNotices.sent } }
        },
      }),
    )
    services.jobs.wake()
    return answer
  })
  return app
}

/** Reads what `formAgeOf` wrote; anything else is ignored. */
function readAges(header: string, { formAge }: Pick<Services, 'formAge'>) {
  const [age = '', mark = ''] = header.split(';')
  return {
    pageAgeMs: /^\d{1,15}$/.test(age) ? Number(age) : undefined,
    markAgeMs: formAge.read(mark),
  }
}
