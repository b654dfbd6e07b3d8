import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import { project } from './account.ts'
import { withoutKey, type GoogleState } from './state.ts'

const host = 'firebaseinstallations.googleapis.com'
const week = '604800s'

/** Firebase Installations: every browser gets an id and a token of its own. */
export function addInstallations(app: Hono, { installations }: GoogleState): void {
  app.post(`/${host}/v1/projects/${project.id}/installations`, async (c) => {
    const refused = withoutKey(c.req.raw)
    if (refused) return refused
    const { fid } = await c.req.json<{ fid: string }>()
    const made = { token: `fis.${randomUUID()}`, refreshToken: `3_${randomUUID()}` }
    installations.set(fid, made)
    return c.json({
      name: `projects/${project.number}/installations/${fid}`,
      fid,
      refreshToken: made.refreshToken,
      authToken: { token: made.token, expiresIn: week },
    })
  })
  app.delete(`/${host}/v1/projects/${project.id}/installations/:fid`, (c) => {
    installations.delete(c.req.param('fid'))
    return c.json({})
  })
}

/** The installation that a call is signed by, undefined for none. */
export function installationOf(
  request: Request,
  { installations }: GoogleState,
): string | undefined {
  const signed = request.headers.get('x-goog-firebase-installations-auth')?.replace(/^FIS /, '')
  return [...installations].find(([, { token }]) => token === signed)?.[0]
}
