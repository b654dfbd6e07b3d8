/*
 * What a caching proxy or a CDN in front may keep. Browsers are told to ask each time, as without one; so the word that
 * lets a cache answer with what is over while it asks anew goes only to those that read the header for CDNs: a browser
 * that took it would show the owner what she has just changed as it was.
 */

/** For an answer that is the same for everybody; shared caches keep it for so many seconds. */
export function sharedFor(seconds: number): Readonly<Record<string, string>> {
  return {
    'cache-control': `public, max-age=0, s-maxage=${seconds}`,
    'cdn-cache-control': `max-age=${seconds}, stale-while-revalidate=${seconds}`,
  }
}

/** Keeps an answer out of browsers too, and out of proxies twice over: some look for one of the words alone. */
export const noStore = { 'cache-control': 'private, no-store' } as const
