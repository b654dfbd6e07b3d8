import { setImmediate } from 'node:timers/promises'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { contactFields, contactNotices, honeypotField } from '#contract/messages/contact.ts'
import type { FieldValues } from '#contract/fields.ts'
import { formMarkParameter } from '#contract/messages/form-mark.ts'
import { maxJsonBytes } from '#contract/limits.ts'
import { contactSheet } from '#contract/page-heads.ts'
import type { PostedForm } from '#contract/pages.ts'
import { problems } from '#contract/problem.ts'
import { checkValues } from '#contract/validate.ts'
import { transact } from '../db/transact.ts'
import type { Services } from '../services.ts'
import { countingTries, storeMessage } from './contact-message.ts'
import type { SentForm } from './plain-form.ts'
import type { AppEnv } from '../api/env.ts'
import { clientAddress } from '../api/guard.ts'
import { createTally } from '../edge/address-counts.ts'
import { createFairQueue } from '../edge/fair-queue.ts'
import { byName, type SecurityHeaders } from '../edge/security-headers.ts'
import { pageOf } from '../api/page-of.ts'
import { contactPath, htmlHeaders } from '../pages/form-mark.ts'
import { sentContactUrl } from '../pages/document.ts'
import type { Pages } from '../pages/pages.ts'
import { Problem } from '../problem.ts'
import { limitPosts } from '../api/rate-limits.ts'
import { toProblem } from '../edge/to-problem.ts'

/** How many refused forms may wait to be drawn: each costs as much as a hundred kept pages. */
const maxWaiting = 20

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

interface Redrawing extends Pick<Pages, 'redrawContact'> {
  readonly headers: Pick<SecurityHeaders, 'page'>
}

/** `POST /contact` as a browser sends the form without JavaScript; the answer is a page. */
export function contactPageRoutes(
  services: Services,
  { redrawContact, headers: { page } }: Redrawing,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const inTurn = createFairQueue(maxWaiting)
  const countRefused = createTally(services.config.limits.posts.windowMs, services.now)
  const limit = bodyLimit({
    maxSize: maxJsonBytes,
    onError: () => {
      throw new Problem('demasiado-grande')
    },
  })
  app.post(contactPath, limitPosts(services), limit, async (c) => {
    const address = clientAddress(c, services.config)
    const { values, honeypot } = await readForm(c, services.config.publicUrl)
    const mark = c.req.query(formMarkParameter) ?? ''
    c.set('posted', { values, mark })
    if (services.room?.isScarce()) throw new Problem('sin-espacio')
    const checked = checkValues(contactFields, 'create', values)
    if (!checked.ok) {
      const { errors } = checked
      const notice = problems['datos-no-validos'][2]
      return redraw({ values, errors, outcome: 'invalid', notice }, { status: 422, mark, address })
    }
    // The mark is as old as the page here.
    const ageMs = services.formAge.read(mark)
    const ages = { pageAgeMs: ageMs, markAgeMs: ageMs }
    const message = { values: checked.value, address, honeypot, ...ages }
    try {
      await countingTries(services, message, () =>
        transact(services.db, (t) => storeMessage(t, services, message)),
      )
    } catch (error) {
      return refuse(toProblem(error), { values, mark, address })
    }
    services.jobs.wake()
    return c.redirect(sentContactUrl, 303)
  })
  return app

  function refuse(
    problem: Problem,
    { values, mark, address }: SentForm & { readonly address: string },
  ): Promise<Response> {
    const { status, code, details } = problem
    if (status >= 500) services.log('contact-failed', { code, error: String(problem.cause) })
    const reason = details.mensaje ?? problems[code][2]
    const notice = status >= 500 ? contactNotices.failed : reason
    return redraw(
      { values, errors: {}, outcome: 'failed', notice },
      { status, mark, address, ...details },
    )
  }

  /** Draws one at a time, the sender with the fewest refusals first; other requests are answered in between. */
  async function redraw(
    posted: PostedForm,
    { mark, address, ...init }: Refusal,
  ): Promise<Response> {
    const headers = byName(htmlHeaders(page(contactSheet), 'no-store'))
    const html = await inTurn(countRefused(address), async () => {
      const drawn = await redrawContact(posted, mark)
      await setImmediate()
      return drawn
    })
    return new Response(html, {
      ...init,
      headers: { ...headers, ...init.headers },
    })
  }
}

interface Refusal {
  readonly status: number
  readonly mark: string
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
}

interface ReadForm {
  readonly values: FieldValues
  readonly honeypot: string
}

/** The form as it was typed. Throws 403 for one that another site's page sent, 415 for any other kind of body. */
async function readForm(c: Context<AppEnv>, publicUrl: string): Promise<ReadForm> {
  // A request without a stated origin comes from no browser, and carries nobody's authority.
  if (pageOf(c, publicUrl) === 'another') throw new Problem('prohibido')
  if (!formType.test(c.req.header('content-type') ?? '')) throw new Problem('tipo-no-admitido')
  const form = new URLSearchParams(await c.req.text())
  const values = Object.keys(contactFields).map((name) => [name, form.get(name) ?? ''])
  return {
    values: Object.fromEntries(values) as FieldValues,
    honeypot: form.get(honeypotField) ?? '',
  }
}
