import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { contactFields, contactNotices, honeypotField } from '#contract/contact.ts'
import type { Draft } from '#contract/fields.ts'
import { formMarkParameter } from '#contract/form-mark.ts'
import { maxJsonBytes } from '#contract/limits.ts'
import type { PostedForm } from '#contract/pages.ts'
import { problems } from '#contract/problem.ts'
import { checkDraft } from '#contract/validate.ts'
import type { Parts } from '../parts.ts'
import { storeMessage } from './contact-message.ts'
import type { AppEnv } from './env.ts'
import { clientAddress } from './guard.ts'
import { sentContactUrl, type Pages } from './pages.ts'
import { Problem } from './problem.ts'
import { toProblem } from './to-problem.ts'

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** `POST /contact` as a browser sends the form without JavaScript; the answer is a page. */
export function contactPage(
  parts: Parts,
  { redrawContact }: Pick<Pages, 'redrawContact'>,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const limit = bodyLimit({
    maxSize: maxJsonBytes,
    onError: () => {
      throw new Problem('demasiado-grande')
    },
  })
  app.post('/contact', limit, async (c) => {
    const { values, honeypot } = await readForm(c, parts.config.publicUrl)
    const mark = c.req.query(formMarkParameter) ?? ''
    const checked = checkDraft(contactFields, 'create', values)
    if (!checked.ok) {
      const { errors } = checked
      const notice = problems['datos-no-validos'][2]
      return redraw({ values, errors, outcome: 'invalid', notice }, { status: 422, mark })
    }
    const address = clientAddress(c, parts.config)
    // Here the mark is as old as the page.
    const ageMs = parts.formAge.read(mark)
    const ages = { pageAgeMs: ageMs, markAgeMs: ageMs }
    const message = { draft: checked.value, address, honeypot, ...ages }
    try {
      await parts.db.transaction().execute((t) => storeMessage(t, parts, message))
    } catch (error) {
      return refuse(toProblem(error), { values, mark })
    }
    parts.jobs.wake()
    return c.redirect(sentContactUrl, 303)
  })
  return app

  function refuse(problem: Problem, { values, mark }: SentForm): Promise<Response> {
    const { status, code, details } = problem
    if (status >= 500) parts.log('contact-failed', { code, error: String(problem.cause) })
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
  readonly values: Draft
  readonly mark: string
}

interface Refusal {
  readonly status: number
  readonly mark: string
  readonly headers?: Readonly<Record<string, string>>
}

interface ReadForm {
  readonly values: Draft
  readonly honeypot: string
}

/** The form as it was typed. Throws 403 for one that another site's page sent, 415 for any other kind of body. */
async function readForm(c: Context<AppEnv>, publicUrl: string): Promise<ReadForm> {
  if (!isFromOurPage(c, publicUrl)) throw new Problem('prohibido')
  if (!formType.test(c.req.header('content-type') ?? '')) throw new Problem('tipo-no-admitido')
  const form = new URLSearchParams(await c.req.text())
  const values = Object.keys(contactFields).map((name) => [name, form.get(name) ?? ''])
  return { values: Object.fromEntries(values) as Draft, honeypot: form.get(honeypotField) ?? '' }
}

/** Browsers say which page a form stands on; what says nothing is no browser, and carries nobody's authority. */
function isFromOurPage(c: Context<AppEnv>, publicUrl: string): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = c.req.header('origin')
  if (origin === undefined || origin === publicUrl) return true
  return URL.parse(origin)?.host === c.req.header('host')
}
