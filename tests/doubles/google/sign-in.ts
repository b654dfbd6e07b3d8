import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import { decodeJwt, jwtVerify, UnsecuredJWT, type JWTPayload } from 'jose'
import { accountFile, accountKey, project } from './account.ts'
import { googleError, withoutKey } from './state.ts'

const host = 'identitytoolkit.googleapis.com'
const audience = `https://${host}/google.identity.identitytoolkit.v1.IdentityToolkit`

/** Authentication by a token that the service account signed. */
export function addSignIn(app: Hono): void {
  app.post(`/${host}/v1/accounts:signInWithCustomToken`, async (c) => {
    const refused = withoutKey(c.req.raw)
    if (refused) return refused
    const { token } = await c.req.json<{ token: string }>()
    const claims = await readToken(token)
    if (claims === undefined) return googleError(400, 'INVALID_CUSTOM_TOKEN')
    return c.json({
      kind: 'identitytoolkit#VerifyCustomTokenResponse',
      idToken: idToken(claims),
      refreshToken: `rt-${randomUUID()}`,
      expiresIn: '3600',
      isNewUser: false,
    })
  })
  app.post(`/${host}/v1/accounts:lookup`, async (c) => {
    const { idToken: token } = await c.req.json<{ idToken: string }>()
    const users = [{ localId: decodeJwt(token).sub, customAuth: true }]
    return c.json({ kind: 'identitytoolkit#GetAccountInfoResponse', users })
  })
}

async function readToken(token: string): Promise<JWTPayload | undefined> {
  try {
    const { client_email: issuer } = accountFile
    const checked = { issuer, subject: issuer, audience, algorithms: ['RS256'] }
    return (await jwtVerify(token, accountKey, checked)).payload
  } catch {
    return undefined
  }
}

function idToken({ uid, claims }: JWTPayload): string {
  const own = typeof claims === 'object' ? claims : {}
  return new UnsecuredJWT({ ...own, user_id: uid })
    .setIssuer(`https://securetoken.google.com/${project.id}`)
    .setAudience(project.id)
    .setSubject(String(uid))
    .setIssuedAt()
    .setExpirationTime('1h')
    .encode()
}

/** Who a call to Storage is signed by; undefined for nobody. */
export function userOf(request: Request): JWTPayload | undefined {
  const token = /^Firebase (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  return token === undefined ? undefined : decodeJwt(token)
}
