import { hash } from 'node:crypto'
import { Hono } from 'hono'
import { calls } from '#contract/api.ts'
import { titleLines } from '#contract/typed-title.ts'
import { readPerson } from '../db/person.ts'
import type { Services } from '../services.ts'
import { parseDrawing } from './parse-drawing.ts'
import type { TitleDrawing } from './typed-title.ts'
import { createCounts } from '../edge/address-counts.ts'
import { chooseEncoding } from '../edge/content-encoding.ts'
import { saidOfPicture } from '../edge/security-headers.ts'
import type { AppEnv } from '../api/env.ts'
import { includesTag } from '../api/etag.ts'
import { clientAddress } from '../api/guard.ts'
import { pictureHeaders } from '../images/media.ts'
import { tooMany } from '../api/rate-limits.ts'

/** `GET typing?lines=…&color=…`: the title that types itself, as an SVG of its own. */
export function typingRoutes(services: TypingServices): Hono<AppEnv> {
  const { typedTitle, config, now } = services
  const app = new Hono<AppEnv>()
  const headers = {
    ...pictureHeaders(config),
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox",
    'cache-control': 'public, max-age=2592000',
    vary: 'Accept-Encoding',
  } as const
  const count = createCounts(config.limits.drawings, now)
  /** A new drawing costs as much as a hundred answers: strangers' wishes are few. */
  const draw = async (drawing: TitleDrawing, address: string) => {
    const isOwn = await isOwnTitle(services, drawing)
    const waitMs = isOwn ? 0 : count(address)
    if (waitMs > 0) throw tooMany(waitMs)
    return typedTitle.svg(drawing, isOwn)
  }
  app.get(`/${calls.typing}`, async (c) => {
    const drawing = parseDrawing(new URL(c.req.url).searchParams)
    const svg = await (typedTitle.kept(drawing) ?? draw(drawing, clientAddress(c, config)))
    saidOfPicture(c.env?.outgoing)
    // Weak, because a strong one would have to be another for each encoding.
    const etag = `W/"${hash('sha256', svg.plain).slice(0, 20)}"`
    if (includesTag(c.req.header('if-none-match'), etag)) {
      return c.body(null, 304, { ...headers, etag })
    }
    const encoding = chooseEncoding(c.req.header('accept-encoding'))
    return c.body(new Uint8Array(await svg.as(encoding)), 200, {
      ...headers,
      etag,
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      'content-type': 'image/svg+xml; charset=utf-8',
    })
  })
  return app
}

type TypingServices = Pick<Services, 'typedTitle' | 'db' | 'config' | 'now'>

/** Whether a drawing shows the title of this very site, in whatever colour and size. */
async function isOwnTitle(
  { db }: Pick<Services, 'db'>,
  { lines }: Pick<TitleDrawing, 'lines'>,
): Promise<boolean> {
  const title = (await readPerson(db)).fields['title'] ?? ''
  return (['wide', 'narrow'] as const).some(
    (variant) => titleLines(title, variant).join('') === lines.join(''),
  )
}
