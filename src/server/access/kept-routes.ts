import { Hono, type Context } from 'hono'
import { generateCookie, getCookie, setCookie } from 'hono/cookie'
import * as v from 'valibot'
import { accessCalls, maxLeft } from '#contract/access/access.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { keptIdleMs } from './sign-in.ts'
import type { Services } from '../services.ts'
import { readJson } from '../api/body.ts'
import type { AppEnv } from '../api/env.ts'
import { requireAdmin } from '../api/guard.ts'
import { pageOf } from '../api/page-of.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'

/*
 * Sessions that a device keeps. The cookie is the product's only one: no script can read it, browsers send it to
 * these calls alone, and the calls take it only from our own pages.
 */

const cookieName = '__Secure-tintero'
const cookie = {
  path: `/api/${accessCalls.kept}`,
  httpOnly: true,
  secure: true,
  sameSite: 'Strict',
} as const
const goneCookie = generateCookie(cookieName, '', { ...cookie, maxAge: 0 })

/** When a device may ask again that was told no by a clock alone. */
const askAgainS = 3600

type KeptOptions = Pick<Services, 'auth' | 'config'>

/**
 * The calls of a session that outlives its tab, which the cookie alone carries; answered for pages of this site only.
 */
export function keptRoutes(services: KeptOptions): Hono<AppEnv> {
  const { auth, config } = services
  const app = new Hono<AppEnv>()
  const isOurPage = (c: Pick<Context<AppEnv>, 'req'>) => pageOf(c, config.publicUrl) === 'ours'

  app.post(`/${accessCalls.kept}`, async (c) => {
    if (!isOurPage(c)) throw new Problem('prohibido')
    await readJson(c)
    const renewed = await auth.renew(getCookie(c, cookieName) ?? '')
    if (renewed === 'overdue') {
      throw new Problem('sesion-requerida', { headers: { 'retry-after': String(askAgainS) } })
    }
    if (!renewed) {
      throw new Problem('sesion-requerida', { headers: { 'set-cookie': goneCookie } })
    }
    giveKept(c, renewed.cookie)
    return c.json(renewed.session, 200, noStore)
  })

  app.post(`/${accessCalls.keep}`, requireAdmin(services), async (c) => {
    if (!isOurPage(c)) throw new Problem('prohibido')
    giveKept(c, await auth.keep(c.var.session, getCookie(c, cookieName) ?? ''))
    return c.body(null, 204, noStore)
  })

  app.post(`/${accessCalls.keepNoLonger}`, requireAdmin(services), async (c) => {
    await auth.keepNoLonger(c.var.session)
    dropKept(c)
    return c.body(null, 204, noStore)
  })

  app.post(`/${accessCalls.endLeft}`, async (c) => {
    const { revocations } = readLeft(await readJson(c))
    // Another page may hand in what it left itself, but must not use the cookie that this browser keeps.
    const isOurs = isOurPage(c)
    await auth.endLeft({ revocations, cookie: isOurs ? (getCookie(c, cookieName) ?? '') : '' })
    if (isOurs) dropKept(c)
    return c.body(null, 204, noStore)
  })

  return app
}

/** Takes the cookie of a kept session from the browser with this answer. */
export function dropKept(c: Context): void {
  c.header('set-cookie', goneCookie, { append: true })
}

function giveKept(c: Context, value: string): void {
  setCookie(c, cookieName, value, { ...cookie, maxAge: keptIdleMs / 1000 })
}

const left = v.object({
  revocations: v.pipe(v.array(v.pipe(v.string(), v.uuid())), v.maxLength(maxLeft)),
})

function readLeft(body: Readonly<Record<string, unknown>>): v.InferOutput<typeof left> {
  const parsed = v.safeParse(left, body)
  if (parsed.success) return parsed.output
  throw new Problem('datos-no-validos', { errors: { revocations: fieldErrors.required } })
}
