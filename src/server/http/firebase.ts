import { Hono } from 'hono'
import { firebaseTokenCall } from '#contract/firebase-words.ts'
import { ownerToken } from '../firebase/owner-token.ts'
import { pagesAccount } from '../firebase/pages-account.ts'
import type { Parts } from '../parts.ts'
import type { AppEnv } from './env.ts'
import { requireAdmin } from './guard.ts'
import { Problem } from './problem.ts'
import { limitWrites } from './rate-limits.ts'

/** `POST firebase/token`: what the owner's page signs in with at Firebase; 503 on a site without a service account of the same project. */
export function firebaseRoutes(parts: Parts): Hono<AppEnv> {
  const { config, now, pagesProject } = parts
  const app = new Hono<AppEnv>()
  app.post(`/${firebaseTokenCall}`, requireAdmin(parts), limitWrites(parts), async (c) => {
    // As a fault of the server that passes: a picture that waits on a device is not given up for it.
    const found = pagesAccount(config.firebase, pagesProject)
    if (!found.account) throw new Problem('no-disponible', { mensaje: found.trouble })
    const token = await ownerToken(found.account, now())
    return c.json({ token }, 200, { 'cache-control': 'no-store' })
  })
  return app
}
