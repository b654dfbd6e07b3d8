import { Hono, type Context } from 'hono'
import { calls } from '#contract/api.ts'
import { testNotification, type Device, type PushOffer, type TestOutcome } from '#contract/push.ts'
import { fill } from '#contract/text.ts'
import { pushTexts } from '#contract/texts-push.ts'
import { pagesAccount } from '../firebase/pages-account.ts'
import type { Parts } from '../parts.ts'
import { sendToDevice } from '../push/deliver.ts'
import {
  dropFailed,
  findDevice,
  listDevices,
  listFailed,
  retryFailed,
  saveDevice,
  takeOffList,
  type KnownDevice,
} from '../push/devices.ts'
import type { SendResult } from '../push/sender.ts'
import { readJson } from './body.ts'
import { readDevice } from './device-body.ts'
import type { AppEnv } from './env.ts'
import { requireAdmin } from './guard.ts'
import { answerOnce } from './idempotency.ts'
import { Problem } from './problem.ts'
import { limitWrites } from './rate-limits.ts'

const noStore = { 'cache-control': 'no-store' }

/** The owner's devices and the notifications they did not get. */
export function deviceRoutes(parts: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  addDevices(app, parts)
  addTest(app, parts)
  addFailed(app, parts)
  return app
}

function addDevices(app: Hono<AppEnv>, parts: Parts) {
  const { db, now, push } = parts
  const guards = [requireAdmin(parts), limitWrites(parts)] as const

  app.get(`/${calls.push}`, requireAdmin(parts), (c) => {
    const offer = c.req.query('kind') === 'fcm' ? fcmOffer(parts) : push.offer
    return c.json(offer, 200, noStore)
  })
  app.get(`/${calls.devices}`, requireAdmin(parts), async (c) =>
    c.json((await listDevices(db)).map(toJson), 200, noStore),
  )
  app.post(`/${calls.devices}`, ...guards, async (c) => {
    const sent = await readJson(c)
    const device = readDevice(sent)
    const { tokenHash: sessionHash } = c.var.session
    return answerOnce(c, parts, {
      sent,
      effect: async (t) => {
        const saved = await saveDevice(t, { ...device, sessionHash, now: now() })
        if (saved === 'full') throw new Problem('demasiados-dispositivos')
        if (saved === 'removed') throw new Problem('dispositivo-quitado')
        const body = { ...toJson(saved.device), mensaje: pushTexts.deviceAdded }
        return { status: saved.isNew ? 201 : 200, body }
      },
    })
  })
  app.delete(`/${calls.devices}/:id`, ...guards, async (c) =>
    answerOnce(c, parts, {
      effect: async (t) => {
        if (!(await takeOffList(t, c.req.param('id'), now()))) throw new Problem('no-encontrado')
        return { status: 200, body: { mensaje: pushTexts.deviceRemoved } }
      },
    }),
  )
}

/** What a page built for Firebase is told; the key its addresses are made for stands in that build. */
function fcmOffer({ config, pagesProject }: Parts): PushOffer {
  const found = pagesAccount(config.firebase, pagesProject)
  if (found.account) return { publicKey: '', kind: 'fcm' }
  return { publicKey: '', kind: null, trouble: found.trouble }
}

function addTest(app: Hono<AppEnv>, parts: Parts) {
  const { db, now, push } = parts
  app.post(`/${calls.devices}/test/:id`, requireAdmin(parts), limitWrites(parts), async (c) => {
    const device = await findDevice(db, c.req.param('id'))
    if (!device) throw new Problem('no-encontrado')
    const message = testNotification(String(now().getTime()))
    const result = await sendToDevice({ db, now, sender: push.sender }, device, message)
    return c.json(toOutcome(result), 200, noStore)
  })
}

function addFailed(app: Hono<AppEnv>, parts: Parts) {
  const { db, now, jobs } = parts
  const path = `/${calls.push}/failed`
  const guards = [requireAdmin(parts), limitWrites(parts)] as const

  app.get(path, requireAdmin(parts), async (c) => c.json(await listFailed(db), 200, noStore))
  app.post(`${path}/retry/:id`, ...guards, async (c: Context<AppEnv, string>) => {
    const answer = await answerOnce(c, parts, {
      effect: async (t) => {
        if (!(await retryFailed(t, c.req.param('id') ?? '', now())))
          throw new Problem('no-encontrado')
        return { status: 200, body: { mensaje: pushTexts.failedRetried } }
      },
    })
    jobs.wake()
    return answer
  })
  app.delete(`${path}/:id`, ...guards, async (c) =>
    answerOnce(c, parts, {
      effect: async (t) => {
        if (!(await dropFailed(t, c.req.param('id')))) throw new Problem('no-encontrado')
        return { status: 200, body: { mensaje: pushTexts.failedRemoved } }
      },
    }),
  )
}

function toOutcome(result: SendResult): TestOutcome {
  const why = 'why' in result ? result.why : ''
  return { state: result.state, mensaje: fill(pushTexts.tested[result.state], { why }) }
}

/** Without the address: nobody needs it, and it is all it takes to ring the device. */
function toJson({ id, label, kind, createdAt, lastSentAt, trouble }: KnownDevice): Device {
  return { id, label, kind, createdAt, lastSentAt, trouble }
}
