import type { Context } from 'hono'
import type { AppEnv } from './env.ts'

/** Which page a request comes from, according to its browser. */
export function pageOf(
  c: Pick<Context<AppEnv>, 'req'>,
  publicUrl: string,
): 'ours' | 'another' | 'unsaid' {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' ? 'ours' : 'another'
  const origin = c.req.header('origin')
  if (origin === undefined) return 'unsaid'
  const isOurs = origin === publicUrl || URL.parse(origin)?.host === c.req.header('host')
  return isOurs ? 'ours' : 'another'
}
