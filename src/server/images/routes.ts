import { Hono } from 'hono'
import type { UploadedImage } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { imageLimit } from '#contract/settings/kinds.ts'
import { readSettings } from '../db/settings.ts'
import type { ImageUpload } from './store.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from '../api/env.ts'
import { isOwners, requireAdmin, sessionNeeded } from '../api/guard.ts'
import { refuseInMaintenance } from '../api/maintenance.ts'
import { countHit } from '../api/rate-limits.ts'

type ImageServices = Pick<Services, 'auth' | 'config' | 'db' | 'images' | 'now'>

/** `PUT image/{type}?name=New/exp_{id}[&file=photo.jpg]` with the picture as the raw body, for the owner. */
export function imageRoutes(services: ImageServices): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const path = `/${ownerCalls.image}/:type` as const
  app.put(path, requireAdmin(services), async (c) => {
    const settings = await readSettings(services.db)
    refuseInMaintenance(settings)
    await countHit(services.db, services, { key: 'upload', ...services.config.limits.uploads })
    const { url, created } = await services.images.put({
      type: c.req.param('type'),
      name: c.req.query('name') ?? '',
      body: c.req.raw.body ?? new ReadableStream({ start: (empty) => empty.close() }),
      maxBytes: imageLimit(settings),
      // A body may take its time: who sends it can have been signed out meanwhile.
      assertSender: async () => {
        if (!(await isOwners(c, services))) throw sessionNeeded()
      },
      ...claimsOf(c.req.raw.headers, c.req.query('file')),
    })
    const body: UploadedImage = { url }
    return created ? c.json(body, 201, { location: url }) : c.json(body, 200)
  })
  return app
}

function claimsOf(
  headers: Headers,
  fileName: string | undefined,
): Pick<ImageUpload, 'declaredType' | 'fileName' | 'length'> {
  const declaredType = headers.get('content-type')
  const length = headers.get('content-length')
  return {
    ...(declaredType && { declaredType }),
    ...(fileName && { fileName }),
    ...(length && /^\d{1,15}$/.test(length) && { length: Number(length) }),
  }
}
