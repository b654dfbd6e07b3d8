import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { calls } from '#contract/api.ts'
import type { Parts } from '../parts.ts'
import { parseDrawing } from '../typed-title/parse-drawing.ts'
import type { AppEnv } from './env.ts'
import { pictureHeaders } from './media.ts'

const headers = {
  ...pictureHeaders,
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox",
  'cache-control': 'public, max-age=2592000',
} as const

/** `GET typing?lines=…&color=…`: the title that types itself, as an SVG of its own. */
export function typingRoutes({ typedTitle }: Pick<Parts, 'typedTitle'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(`/${calls.typing}`, async (c) => {
    const drawing = parseDrawing(new URL(c.req.url).searchParams)
    const svg = await typedTitle.svg(drawing)
    const etag = `"${createHash('sha256').update(svg).digest('hex').slice(0, 20)}"`
    const known = c.req.header('if-none-match')?.split(/\s*,\s*/) ?? []
    if (known.some((tag) => tag.replace(/^W\//, '') === etag)) {
      return c.body(null, 304, { ...headers, etag })
    }
    return c.body(svg, 200, { ...headers, etag, 'content-type': 'image/svg+xml; charset=utf-8' })
  })
  return app
}
