import type { SiteData } from '#contract/api.ts'
import type { GivenPage } from '#contract/offline/kept-page.ts'
import { pages } from '#contract/pages.ts'
import { byName } from '../edge/security-headers.ts'
import type { StoredAnswer } from '../edge/stored-answer.ts'
import { isHiddenPage } from './hidden.ts'

/** The pages that the server draws for everybody, with the headers of each, as JSON. */
export async function allPages(
  site: SiteData,
  find: (path: string) => Promise<StoredAnswer> | StoredAnswer,
): Promise<string> {
  const given: Record<string, GivenPage> = {}
  for (const { path, kind } of pages) {
    if (kind !== undefined || isHiddenPage(path, site)) continue
    // One after the other: whoever asks for a page meanwhile is answered in between.
    const { headers, body } = await find(path)
    given[path] = { headers: byName(headers), html: body.plain.toString() }
  }
  return JSON.stringify(given)
}
