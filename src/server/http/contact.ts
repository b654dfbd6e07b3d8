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

/** `POST contact` with exactly `{name, email, message}`, for everybody, and the mark that tells how old a form is. */
export function contactRoutes(parts: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(`/${calls.contact}/mark`, (c) =>
    c.json({ mark: parts.formAge.mark() }, 200, { 'cache-control': 'no-store' }),
  )
  app.post(`/${calls.contact}`, async (c) => {
    const sent = await readJson(c)
    const message = {
      draft: valueOf(checkDraft(contactFields, 'create', sent)),
      address: clientAddress(c, parts.config),
      honeypot: c.req.header(honeypotHeader) ?? '',
      ...readAges(c.req.header(formAgeHeader) ?? '', parts),
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

/** What `formAgeOf` wrote; anything else says nothing. */
function readAges(header: string, { formAge }: Pick<Parts, 'formAge'>) {
  const [age = '', mark = ''] = header.split(';')
  return {
    pageAgeMs: /^\d{1,15}$/.test(age) ? Number(age) : undefined,
    markAgeMs: formAge.read(mark),
  }
}
