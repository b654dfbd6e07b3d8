import type { Context } from 'hono'
import { chooseEncoding } from '../edge/content-encoding.ts'
import { encodingsOf, type Encodings } from '../edge/encodings.ts'
import type { AppEnv, Call } from './env.ts'
import { sharedFor } from '../edge/shared-cache.ts'

/** What may be kept but must be asked about each time. */
const revalidate = 'public, no-cache'

/** The entity tag of one row. */
export function versionTag(version: number): string {
  return `"v${version}"`
}

/** The entity tag of everything of one kind. */
export function listTag(kind: string, revision: number): string {
  return `W/"${kind}-${revision}"`
}

type Body = string | Encodings

/** 304 when the client holds this tag, else the JSON with it; `load` runs only when it is needed. */
export async function answerFresh(
  c: Context<AppEnv>,
  tag: string,
  load: () => Body | Promise<Body>,
): Promise<Response> {
  // A strong tag would have to be another one for each encoding, and is what a change names.
  const isWeak = tag.startsWith('W/')
  if (isWeak) c.header('vary', 'Accept-Encoding', { append: true })
  const headers = { etag: tag, 'cache-control': revalidate, ...sharing(c) }
  if (holdsTag(c.req.header('if-none-match'), tag)) return c.body(null, 304, headers)
  const loaded = await load()
  const body = typeof loaded === 'string' ? encodingsOf(Buffer.from(loaded)) : loaded
  c.set('fresh', { etag: tag, body, compressible: isWeak })
  const encoding = isWeak ? chooseEncoding(c.req.header('accept-encoding')) : 'identity'
  return c.body(new Uint8Array(await body.as(encoding)), 200, {
    ...headers,
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    'content-type': 'application/json',
  })
}

/** Who names herself in any way gets an answer for herself, as fresh as it can be. */
function sharing({ req, var: { sharedCacheS = 0 } }: Context<AppEnv>) {
  const isNamed = req.header('authorization') !== undefined || req.header('cookie') !== undefined
  return sharedCacheS > 0 && !isNamed ? sharedFor(sharedCacheS) : {}
}

/** The version an If-Match header names: undefined for none or any, and -1, which no row has, for anything unreadable. */
export function namedVersion({ req }: Call): number | undefined {
  const header = req.header('if-match')?.trim()
  if (header === undefined || header === '*') return undefined
  const [, version] = /^(?:W\/)?"v([1-9]\d{0,8})"$/.exec(header) ?? []
  return version === undefined ? -1 : Number(version)
}

/** Whether an `If-None-Match` header names the tag; strong and weak forms count as the same. */
export function holdsTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const opaque = tag.replace('W/', '')
  return header.split(',').some((held) => {
    const trimmed = held.trim()
    return trimmed === '*' || trimmed.replace(/^W\//, '') === opaque
  })
}
