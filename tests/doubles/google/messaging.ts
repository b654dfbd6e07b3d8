import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import { jwtVerify } from 'jose'
import { accountFile, accountKey, project } from './account.ts'
import { installationOf } from './installations.ts'
import {
  googleError,
  withoutKey,
  type FcmMessage,
  type GoogleState,
  type Registration,
} from './state.ts'

const tokenUrl = 'https://oauth2.googleapis.com/token'
const maxMessageBytes = 4096

/** Cloud Messaging: browsers register, the server gets an access token and sends. */
export function addMessaging(app: Hono, state: GoogleState): void {
  addRegistrations(app, state)
  addAccess(app, state)
  addSending(app, state)
}

function addRegistrations(app: Hono, state: GoogleState): void {
  const path = `/fcmregistrations.googleapis.com/v1/projects/${project.id}/registrations`
  app.post(path, async (c) => {
    const fid = installationOf(c.req.raw, state)
    const refused = withoutKey(c.req.raw)
    if (refused) return refused
    if (fid === undefined) return googleError(401, 'UNAUTHENTICATED')
    const { web } = await c.req.json<{ web: Registration }>()
    state.registrations.set(fid, web)
    return c.json({ name: `projects/${project.id}/registrations/${fid}`, web })
  })
  app.delete(`${path}/:fid`, (c) => {
    const wasThere = state.registrations.delete(c.req.param('fid'))
    return wasThere ? c.json({}) : googleError(404, 'NOT_FOUND')
  })
}

function addAccess(app: Hono, { accessTokens }: GoogleState): void {
  app.post('/oauth2.googleapis.com/token', async (c) => {
    const form = new URLSearchParams(await c.req.text())
    try {
      await jwtVerify(form.get('assertion') ?? '', accountKey, {
        issuer: accountFile.client_email,
        audience: tokenUrl,
        algorithms: ['RS256'],
        // The product's clock may be a test's own.
        clockTolerance: '100 years',
      })
    } catch {
      return c.json({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }, 400)
    }
    const token = `ya29.${randomUUID()}`
    accessTokens.add(token)
    return c.json({ access_token: token, expires_in: 3599, token_type: 'Bearer' })
  })
}

function addSending(app: Hono, state: GoogleState): void {
  app.post(`/fcm.googleapis.com/v1/projects/${project.id}/messages:send`, async (c) => {
    const token = c.req.header('authorization')?.replace(/^Bearer /, '') ?? ''
    if (!state.accessTokens.has(token)) return googleError(401, 'UNAUTHENTICATED')
    const { message } = await c.req.json<{ message: FcmMessage }>()
    const texts = Object.values(message.data ?? {})
    const isFaulty = message.fid === undefined || texts.some((text) => typeof text !== 'string')
    if (isFaulty || Buffer.byteLength(JSON.stringify(message)) > maxMessageBytes) {
      return fcmError(400, 'INVALID_ARGUMENT')
    }
    const registration = state.registrations.get(message.fid ?? '')
    if (!registration) return fcmError(404, 'NOT_FOUND', 'UNREGISTERED')
    state.sent.push(message)
    if (!(await state.deliver(registration, message))) {
      state.registrations.delete(message.fid ?? '')
      return fcmError(404, 'NOT_FOUND', 'UNREGISTERED')
    }
    return c.json({ name: `projects/${project.id}/messages/${randomUUID()}` })
  })
}

function fcmError(code: number, status: string, errorCode = status): Response {
  const type = 'type.googleapis.com/google.firebase.fcm.v1.FcmError'
  return googleError(code, status, [{ '@type': type, errorCode }])
}
