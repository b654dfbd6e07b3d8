import { Hono, type Context } from 'hono'
import { accessCalls } from '#contract/access/access.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { deviceName } from '#contract/access/device-name.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import type { Services } from '../services.ts'
import { readJson } from '../api/body.ts'
import type { AppEnv } from '../api/env.ts'
import { clientAddress, requireAdmin, requireSession } from '../api/guard.ts'
import { dropKept } from './kept-routes.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'

/** The calls of login, logout and the change of credentials. */
export function authRoutes(services: Pick<Services, 'auth' | 'config'>): Hono<AppEnv> {
  const { auth, config } = services
  const app = new Hono<AppEnv>()

  app.post(`/${ownerCalls.login}`, async (c) => {
    const [userName, password] = readTexts(await readJson(c), 'userName', 'password')
    const address = clientAddress(c, config)
    const device = deviceOf(c)
    return c.json(await auth.login({ userName, password, address, device }), 200, noStore)
  })

  app.post(`/${ownerCalls.logout}`, requireSession(services), async (c) => {
    await auth.logout(c.var.session)
    // Whatever this browser keeps, of which the session need not be: the page forgets that it keeps any.
    dropKept(c)
    return c.body(null, 204, noStore)
  })

  app.post(`/${ownerCalls.logoutOthers}`, requireAdmin(services), async (c) => {
    await auth.logoutOthers(c.var.session)
    return c.body(null, 204, noStore)
  })

  app.post(`/${ownerCalls.password}`, requireAdmin(services), async (c) => {
    const [currentPassword, newPassword] = readTexts(
      await readJson(c),
      'currentPassword',
      'newPassword',
    )
    await auth.changePassword(c.var.session, { currentPassword, newPassword })
    return c.json({ mensaje: ownerTexts.passwordChanged }, 200, noStore)
  })

  app.get(`/${accessCalls.own}`, requireAdmin(services), async (c) =>
    c.json(await auth.ownAccess(), 200, noStore),
  )

  app.post(`/${accessCalls.userName}`, requireAdmin(services), async (c) => {
    const [currentPassword, given] = readTexts(await readJson(c), 'currentPassword', 'userName')
    const change = { currentPassword, userName: given }
    const userName = await auth.changeUserName(c.var.session, change)
    return c.json({ userName }, 200, noStore)
  })

  return app
}

const nobodyKnown = deviceName({ userAgent: '' })

/** Empty for an unknown browser and system. */
export function deviceOf(c: Pick<Context<AppEnv>, 'req'>): string {
  const name = deviceName({ userAgent: c.req.header('user-agent') ?? '' })
  return name === nobodyKnown ? '' : name
}

type Texts<Names extends readonly string[]> = { [Index in keyof Names]: string }

/** The members in the order of the names. Throws 422 naming those that are no text; an empty text is one. */
export function readTexts<const Names extends readonly string[]>(
  body: Readonly<Record<string, unknown>>,
  ...names: Names
): Texts<Names> {
  const missing = names.filter((name) => typeof body[name] !== 'string')
  if (missing.length > 0) {
    const errors = Object.fromEntries(missing.map((name) => [name, fieldErrors.required]))
    throw new Problem('datos-no-validos', { errors })
  }
  return names.map((name) => body[name]) as Texts<Names>
}
