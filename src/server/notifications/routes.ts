import { Hono, type Context } from 'hono'
import { ownerCalls } from '#contract/owner-calls.ts'
import {
  testNotification,
  type Device,
  type PushOffer,
  type TestOutcome,
} from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { pushTexts } from '#contract/texts/push.ts'
import { pagesAccount } from '../firebase/pages-account.ts'
import type { Services } from '../services.ts'
import { sendToDevice } from './deliver.ts'
import {
  dropFailed,
  findDevice,
  listDevices,
  listFailed,
  retryFailed,
  saveDevice,
  takeOffList,
  type KnownDevice,
} from './devices.ts'
import type { SendResult } from './sender.ts'
import { readJson } from '../api/body.ts'
import { readDevice } from './device-body.ts'
import type { AppEnv } from '../api/env.ts'
import { requireAdmin } from '../api/guard.ts'
import { idempotent } from '../api/idempotency.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'
import { limitWrites } from '../api/rate-limits.ts'

/** The calls of notifications: devices, a test and the notifications that failed. */
export function deviceRoutes(services: Services): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  addDevices(app, services)
  addTest(app, services)
  addFailed(app, services)
  return app
}

function addDevices(app: Hono<AppEnv>, services: Services) {
  const { db, now, push } = services
  const guards = [requireAdmin(services), limitWrites(services)] as const

  app.get(`/${ownerCalls.push}`, requireAdmin(services), (c) => {
    const offer = c.req.query('kind') === 'fcm' ? fcmOffer(services) : push.offer
    return c.json(offer, 200, noStore)
  })
  app.get(`/${ownerCalls.devices}`, requireAdmin(services), async (c) =>
    c.json((await listDevices(db)).map(toJson), 200, noStore),
  )
  app.post(`/${ownerCalls.devices}`, ...guards, async (c) => {
    const sent = await readJson(c)
    const device = readDevice(sent)
    const { signInId } = c.var.session
    return idempotent(c, services, {
      sent,
      goesWithSignIn: true,
      effect: async (t) => {
        const saved = await saveDevice(t, { ...device, signInId, now: now() })
        if (saved === 'full') throw new Problem('demasiados-dispositivos')
        if (saved === 'removed') throw new Problem('dispositivo-quitado')
        const body = { ...toJson(saved.device), mensaje: pushTexts.deviceAdded }
        return { status: saved.isNew ? 201 : 200, body }
      },
    })
  })
  app.delete(`/${ownerCalls.devices}/:id`, ...guards, async (c) =>
    idempotent(c, services, {
      effect: async (t) => {
        if (!(await takeOffList(t, c.req.param('id'), now()))) throw new Problem('no-encontrado')
        return { status: 200, body: { mensaje: pushTexts.deviceRemoved } }
      },
    }),
  )
}

/** For pages built for Firebase; the key of their addresses is part of that build. */
function fcmOffer({ config, pagesProject }: Services): PushOffer {
  const found = pagesAccount(config.firebase, pagesProject)
  if (found.account) return { publicKey: '', kind: 'fcm' }
  return { publicKey: '', kind: null, trouble: found.trouble }
}

function addTest(app: Hono<AppEnv>, services: Services) {
  const { db, now, push } = services
  app.post(
    `/${ownerCalls.devices}/test/:id`,
    requireAdmin(services),
    limitWrites(services),
    async (c) => {
      const device = await findDevice(db, c.req.param('id'))
      if (!device) throw new Problem('no-encontrado')
      const message = testNotification(String(now().getTime()))
      const result = await sendToDevice({ db, now, sender: push.sender }, device, message)
      return c.json(toOutcome(result), 200, noStore)
    },
  )
}

function addFailed(app: Hono<AppEnv>, services: Services) {
  const { db, now, jobs } = services
  const path = `/${ownerCalls.push}/failed`
  const guards = [requireAdmin(services), limitWrites(services)] as const

  app.get(path, requireAdmin(services), async (c) => c.json(await listFailed(db), 200, noStore))
  app.post(`${path}/retry/:id`, ...guards, async (c: Context<AppEnv, string>) => {
    const answer = await idempotent(c, services, {
      effect: async (t) => {
        if (!(await retryFailed(t, c.req.param('id') ?? '', now()))) {
          throw new Problem('no-encontrado')
        }
        return { status: 200, body: { mensaje: pushTexts.failedRetried } }
      },
    })
    jobs.wake()
    return answer
  })
  app.delete(`${path}/:id`, ...guards, async (c) =>
    idempotent(c, services, {
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

/** Leaves out the address, which is enough to ring the device and which no page needs. */
function toJson({ id, label, kind, createdAt, lastSentAt, trouble }: KnownDevice): Device {
  return { id, label, kind, createdAt, lastSentAt, trouble }
}
