/*
 * What a caching proxy or a CDN in front may keep. Browsers are told to ask each time, as without one; so the word that
 * lets a cache answer with what is over while it asks anew goes only to those that read the header for CDNs: a browser
 * that took it would show the owner what she has just changed as it was.
 */

/** The headers of an answer that everybody gets alike, which shared caches may keep for so many seconds. */
export function sharedFor(seconds: number): Readonly<Record<string, string>> {
  return {
    'cache-control': `public, max-age=0, s-maxage=${seconds}`,
    'cdn-cache-control': `max-age=${seconds}, stale-while-revalidate=${seconds}`,
  }
}

/** The header of an answer that nobody keeps, no browser either. */
export const noStore: Readonly<Record<string, string>> = { 'cache-control': 'no-store' }
