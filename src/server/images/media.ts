import { Hono } from 'hono'
import { inertPolicy } from '#contract/images/image.ts'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from '../api/env.ts'
import { pictureReach, saidOfPicture } from '../edge/security-headers.ts'

/** An uploaded file can only be shown: opened by itself it runs, fetches and embeds nothing. */
export function pictureHeaders({ allowedOrigins }: Pick<Config, 'allowedOrigins'>) {
  return {
    'content-security-policy': inertPolicy,
    'cross-origin-resource-policy': pictureReach(allowedOrigins),
    'x-content-type-options': 'nosniff',
  } as const
}

/** `/media/<file>`: stored pictures, which never change; `/media/<Type>/<name>`: redirects a storage name to one. */
export function mediaRoutes({ images, config }: Pick<Services, 'images' | 'config'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const headers = pictureHeaders(config)
  const notFound = () => {
    const init = { status: 404, headers: { ...headers, 'cache-control': 'no-store' } }
    return new Response(null, init)
  }
  app.get('/media/:file', async (c) => {
    const image = await images.open(c.req.param('file'))
    if (!image) return notFound()
    saidOfPicture(c.env?.outgoing)
    return c.body(image.bytes, 200, {
      ...headers,
      'content-type': image.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
  app.get('/media/:type/:name{.+}', async (c) => {
    const { type, name } = c.req.param()
    const url = await images.resolveAlias(`${type}/${name}`)
    if (url === undefined) return notFound()
    return c.body(null, 302, { ...headers, location: url, 'cache-control': 'no-cache' })
  })
  app.all('*', notFound)
  return app
}
