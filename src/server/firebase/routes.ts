import { SignJWT } from 'jose'
import { Hono } from 'hono'
import { firebaseTokenCall } from '#contract/texts/firebase.ts'
import { pagesAccount } from './pages-account.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from '../api/env.ts'
import { requireAdmin } from '../api/guard.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'
import { limitWrites } from '../api/rate-limits.ts'
import type { ServiceAccount } from './service-account.ts'

/** `POST firebase/token`: what the owner's page signs in with at Firebase; 503 on a site without a service account of the same project. */
export function firebaseRoutes(services: Services): Hono<AppEnv> {
  const { config, now, pagesProject } = services
  const app = new Hono<AppEnv>()
  app.post(`/${firebaseTokenCall}`, requireAdmin(services), limitWrites(services), async (c) => {
    // As a fault of the server that passes: a picture that waits on a device is not given up for it.
    const found = pagesAccount(config.firebase, pagesProject)
    if (!found.account) throw new Problem('no-disponible', { mensaje: found.trouble })
    const token = await ownerToken(found.account, now())
    return c.json({ token }, 200, noStore)
  })
  return app
}

const audience =
  'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit'
const livesS = 3600

/** A token with which the owner's page signs in at Firebase for an hour, with the claim `owner` that `storage.rules` asks for. */
function ownerToken({ email, key }: ServiceAccount, moment: Date): Promise<string> {
  const iat = Math.floor(moment.getTime() / 1000)
  return new SignJWT({ uid: 'owner', claims: { owner: true } })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(email)
    .setSubject(email)
    .setAudience(audience)
    .setIssuedAt(iat)
    .setExpirationTime(iat + livesS)
    .sign(key)
}
