import type { Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import type { AppEnv } from './env.ts'

/** The methods each path has among the routes given, `HEAD` and `OPTIONS` included; none for an unknown path. */
export function createKnownMethods({ routes }: Hono<AppEnv>): (path: string) => readonly string[] {
  const router = new TrieRouter<string>()
  for (const { method, path } of routes) {
    if (method !== 'ALL') router.add('ALL', path, method)
  }
  return (path) => {
    const own = new Set(router.match('ALL', path)[0].map(([method]) => method))
    if (own.size === 0) return []
    if (own.has('GET')) own.add('HEAD')
    return [...own.add('OPTIONS')]
  }
}
