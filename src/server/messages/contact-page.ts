import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { contactFields, contactNotices, honeypotField } from '#contract/contact.ts'
import type { FieldValues } from '#contract/fields.ts'
import { formMarkParameter } from '#contract/form-mark.ts'
import { maxJsonBytes } from '#contract/limits.ts'
import type { PostedForm } from '#contract/pages.ts'
import { problems } from '#contract/problem.ts'
import { checkDraft } from '#contract/validate.ts'
import { transact } from '../db/transact.ts'
import type { Services } from '../services.ts'
import { storeMessage } from './contact-message.ts'
import type { AppEnv } from '../api/env.ts'
import { clientAddress } from '../api/guard.ts'
import { pageOf } from '../api/page-of.ts'
import { sentContactUrl, type Pages } from '../pages/pages.ts'
import { Problem } from '../problem.ts'
import { limitPosts } from '../api/rate-limits.ts'
import { whileRoom } from '../api/disk-guard.ts'
import { toProblem } from '../api/to-problem.ts'

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** `POST /contact` as a browser sends the form without JavaScript; the answer is a page. */
export function contactPageRoutes(
  services: Services,
  { redrawContact }: Pick<Pages, 'redrawContact'>,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const limit = bodyLimit({
    maxSize: maxJsonBytes,
    onError: () => {
      throw new Problem('demasiado-grande')
    },
  })
  app.post('/contact', limitPosts(services), limit, whileRoom(services), async (c) => {
    const { values, honeypot } = await readForm(c, services.config.publicUrl)
    const mark = c.req.query(formMarkParameter) ?? ''
    const checked = checkDraft(contactFields, 'create', values)
    if (!checked.ok) {
      const { errors } = checked
      const notice = problems['datos-no-validos'][2]
      return redraw({ values, errors, outcome: 'invalid', notice }, { status: 422, mark })
    }
    const address = clientAddress(c, services.config)
    // Here the mark is as old as the page.
    const ageMs = services.formAge.read(mark)
    const ages = { pageAgeMs: ageMs, markAgeMs: ageMs }
    const message = { draft: checked.value, address, honeypot, ...ages }
    try {
      await transact(services.db, (t) => storeMessage(t, services, message))
    } catch (error) {
      return refuse(toProblem(error), { values, mark })
    }
    services.jobs.wake()
    return c.redirect(sentContactUrl, 303)
  })
  return app

  function refuse(problem: Problem, { values, mark }: SentForm): Promise<Response> {
    const { status, code, details } = problem
    if (status >= 500) services.log('contact-failed', { code, error: String(problem.cause) })
    const reason = details.mensaje ?? problems[code][2]
    const notice = status >= 500 ? contactNotices.failed : reason
    return redraw({ values, errors: {}, outcome: 'failed', notice }, { status, mark, ...details })
  }

  async function redraw(posted: PostedForm, { mark, ...init }: Refusal): Promise<Response> {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
    return new Response(await redrawContact(posted, mark), {
      ...init,
      headers: { ...headers, ...init.headers },
    })
  }
}

interface SentForm {
  readonly values: FieldValues
  readonly mark: string
}

interface Refusal {
  readonly status: number
  readonly mark: string
  readonly headers?: Readonly<Record<string, string>>
}

interface ReadForm {
  readonly values: FieldValues
  readonly honeypot: string
}

/** The form as it was typed. Throws 403 for one that another site's page sent, 415 for any other kind of body. */
async function readForm(c: Context<AppEnv>, publicUrl: string): Promise<ReadForm> {
  // What says nothing is no browser, and carries nobody's authority.
  if (pageOf(c, publicUrl) === 'another') throw new Problem('prohibido')
  if (!formType.test(c.req.header('content-type') ?? '')) throw new Problem('tipo-no-admitido')
  const form = new URLSearchParams(await c.req.text())
  const values = Object.keys(contactFields).map((name) => [name, form.get(name) ?? ''])
  return {
    values: Object.fromEntries(values) as FieldValues,
    honeypot: form.get(honeypotField) ?? '',
  }
}
