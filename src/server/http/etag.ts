import type { Context } from 'hono'
import type { AppEnv, Call } from './env.ts'

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

/** 304 when the client holds this tag, else the JSON text with it; `load` runs only when it is needed. */
export async function answerFresh(
  c: Context<AppEnv>,
  tag: string,
  load: () => string | Promise<string>,
): Promise<Response> {
  const headers = { etag: tag, 'cache-control': revalidate }
  if (holdsTag(c.req.header('if-none-match'), tag)) return c.body(null, 304, headers)
  return c.body(await load(), 200, { ...headers, 'content-type': 'application/json' })
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
