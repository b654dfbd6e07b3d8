import type { Context } from 'hono'
import { chooseEncoding } from '../edge/content-encoding.ts'
import { encodingsOf, type Encodings } from '../edge/encodings.ts'
import type { AppEnv, Call } from './env.ts'
import { sharedFor } from '../edge/shared-cache.ts'

/** Caches may keep the answer but must revalidate it each time. */
const revalidate = 'public, no-cache'

/** The strong tag of one thing, which `If-Match` is compared with. */
export function versionTag(version: number): string {
  return `"v${version}"`
}

/** The weak tag of a list: it changes with every revision of its kind. */
export function listTag(kind: string, revision: number): string {
  return `W/"${kind}-${revision}"`
}

type Body = string | Encodings

/** Answers 304 when the client holds this tag, else the JSON with it; `load` runs only when it is needed. */
export async function answerFresh(
  c: Context<AppEnv>,
  tag: string,
  load: () => Body | Promise<Body>,
): Promise<Response> {
  // A strong tag would have to differ for each encoding, and `If-Match` names it.
  const isWeak = tag.startsWith('W/')
  if (isWeak) c.header('vary', 'Accept-Encoding', { append: true })
  const headers = { etag: tag, 'cache-control': revalidate, ...sharing(c) }
  if (includesTag(c.req.header('if-none-match'), tag)) return c.body(null, 304, headers)
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

/** A request that names its sender gets an answer that no shared cache keeps. */
function sharing({ req, var: { sharedCacheS = 0 } }: Context<AppEnv>) {
  const isNamed = req.header('authorization') !== undefined || req.header('cookie') !== undefined
  return sharedCacheS > 0 && !isNamed ? sharedFor(sharedCacheS) : {}
}

/** Undefined for no header or `*`, and -1, which no row has, for an unreadable one. */
export function namedVersion({ req }: Call): number | undefined {
  const header = req.header('if-match')?.trim()
  if (header === undefined || header === '*') return undefined
  const [, version] = /^(?:W\/)?"v([1-9]\d{0,8})"$/.exec(header) ?? []
  return version === undefined ? -1 : Number(version)
}

/** Strong and weak forms count as the same. */
export function includesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const opaque = tag.replace('W/', '')
  return header.split(',').some((one) => {
    const trimmed = one.trim()
    return trimmed === '*' || trimmed.replace(/^W\//, '') === opaque
  })
}
