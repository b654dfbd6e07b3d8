import { Hono } from 'hono'
import { calls } from '#contract/api.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { fieldErrors } from '#contract/texts.ts'
import type { Parts } from '../parts.ts'
import { readJson } from './body.ts'
import type { AppEnv } from './env.ts'
import { clientAddress, requireAdmin, requireSession } from './guard.ts'
import { Problem } from './problem.ts'

const noStore = { 'cache-control': 'no-store' }

/** Signing in and out, and changing the password. */
export function authRoutes(parts: Pick<Parts, 'auth' | 'config'>): Hono<AppEnv> {
  const { auth, config } = parts
  const app = new Hono<AppEnv>()

  app.post(`/${calls.login}`, async (c) => {
    const [userName, password] = readTexts(await readJson(c), 'userName', 'password')
    const address = clientAddress(c, config)
    return c.json(await auth.login({ userName, password, address }), 200, noStore)
  })

  app.post(`/${calls.logout}`, requireSession(parts), async (c) => {
    await auth.logout(c.var.session)
    return c.body(null, 204, noStore)
  })

  app.post(`/${calls.logoutOthers}`, requireAdmin(parts), async (c) => {
    await auth.logoutOthers(c.var.session)
    return c.body(null, 204, noStore)
  })

  app.post(`/${calls.password}`, requireAdmin(parts), async (c) => {
    const [currentPassword, newPassword] = readTexts(
      await readJson(c),
      'currentPassword',
      'newPassword',
    )
    await auth.changePassword(c.var.session, { currentPassword, newPassword })
    return c.json({ mensaje: ownerTexts.passwordChanged }, 200, noStore)
  })

  return app
}

type Texts<Names extends readonly string[]> = { [Index in keyof Names]: string }

/** The named members of a body, in that order. Throws 422 naming those that are no text; an empty text is one. */
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
