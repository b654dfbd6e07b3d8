import { Hono } from 'hono'
import type { Services } from '../services.ts'
import type { AppEnv } from '../api/env.ts'
import { saidOfPicture } from '../edge/security-headers.ts'

/** An uploaded file is only ever a picture: opened by itself it can run, fetch and embed nothing. */
export const pictureHeaders = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

/** `/media/<file>`: stored pictures, which never change; `/media/<Type>/<name>`: the way from a storage name to one. */
export function mediaRoutes({ images }: Pick<Services, 'images'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/media/:file', async (c) => {
    const image = await images.open(c.req.param('file'))
    if (!image) return notFound()
    saidOfPicture(c.env?.outgoing)
    return c.body(image.bytes, 200, {
      ...pictureHeaders,
      'content-type': image.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
  app.get('/media/:type/:name{.+}', async (c) => {
    const { type, name } = c.req.param()
    const url = await images.resolveAlias(`${type}/${name}`)
    if (url === undefined) return notFound()
    return c.body(null, 302, { ...pictureHeaders, location: url, 'cache-control': 'no-cache' })
  })
  app.all('*', notFound)
  return app
}

function notFound(): Response {
  return new Response(null, {
    status: 404,
    headers: { ...pictureHeaders, 'cache-control': 'no-store' },
  })
}
