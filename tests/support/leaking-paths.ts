import { sections } from '#contract/sections/index.ts'
import type { TestApp } from './app.ts'
import { drawAll, startSite } from './listener.ts'
import { publicPaths } from './page-paths.ts'

/**
 * The paths at which a visitor is told a word: of every page and file of the site, every section's list, and what is asked
 * for besides.
 */
export async function leakingPaths(
  { services }: Pick<TestApp, 'services'>,
  word: string,
  besides: readonly string[],
): Promise<readonly string[]> {
  const { url } = await startSite(services, drawAll)
  const files = ['/cv', '/card', '/resume.json', '/sitemap.xml', '/index.html', '/api/config']
  const lists = sections.map(({ key }) => `/api/${key}`)
  const leaking: string[] = []
  for (const path of [...publicPaths, ...files, ...lists, ...besides]) {
    if ((await (await fetch(url + path)).text()).includes(word)) leaking.push(path)
  }
  return leaking
}
