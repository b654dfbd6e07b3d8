import type { GivenPage } from '#contract/offline/kept-page.ts'
import { frameParts, gap } from '#contract/offline/kept-page.ts'
import { openPages } from './tell-pages.ts'

/** What the policy of a page allows of its frame, by the hashes. */
const allowed = (headers: Headers): string | undefined =>
  /.*style-src \S+ \S+/.exec(headers.get('Content-Security-Policy') ?? '')?.[0]

/**
 * The page whole, with the frame of another page of the same build; undefined when that one is of another build, whose frame
 * the policy of this one would not let run.
 */
export async function framed(
  page: GivenPage,
  other: Response | undefined,
): Promise<string | undefined> {
  if (!other || allowed(other.headers) !== allowed(new Headers(page.headers))) return undefined
  const frame = frameParts(await other.text())
  const parts = page.text.split(gap)
  return parts.map((part, i) => (frame[i - 1] ?? '') + part).join('')
}

/** The page that brought the worker, as the browser itself still has it. Rejects when it has not. */
export async function visitedPage(clients: Pick<Clients, 'matchAll'>): Promise<Response> {
  const [visited] = await openPages(clients)
  return fetch(visited?.url ?? '', { cache: 'only-if-cached', mode: 'same-origin' })
}
