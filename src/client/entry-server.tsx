import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { QueryClient } from '@tanstack/react-query'
import type { SiteData } from '#contract/api.ts'
import { entriesOnCv, listAt, pagesOf, partOf } from '#contract/entries/list-pages.ts'
import { siteAddressKey, pageAt, type PostedForm } from '#contract/pages.ts'
import { sections } from '#contract/sections/index.ts'
import { listPartQuery, readSiteFrom } from './data/queries.ts'
import { createQueryClient } from './data/query-client.ts'
import { writeState } from './data/state.ts'
import { createAppRouter } from './app/router.tsx'

interface PageRequest {
  /** Path with or without query, as requested. */
  readonly url: string
  readonly data: SiteData
  /** Where the site is, without a final slash: only the card says it. */
  readonly address: string
  /** What the contact form brought without JavaScript, and what became of it. */
  readonly posted?: PostedForm
}

interface RenderedPage {
  readonly status: number
  /** The markup of the page's body. */
  readonly app: string
  /** The JSON that hydration starts from. */
  readonly state: string
}

/** Loads what a page's drawing would load when it is first asked for, which may be gone by then: a new version may lie there. */
export async function loadScreens(): Promise<void> {
  const routes = Object.values(createAppRouter({ queryClient: new QueryClient() }).routesById)
  await Promise.all(routes.map(async ({ options }) => options.component?.preload?.()))
}

/** Draws one page as the browser will: the same routes, fed from `data` instead of the API. */
export async function render({ url, data, address, posted }: PageRequest): Promise<RenderedPage> {
  const path = url.replace(/[?#].*$/, '').replace(/(?<=.)\/+$/, '')
  const queryClient = createQueryClient(readSiteFrom(data))
  if (path === '/card') queryClient.setQueryData(siteAddressKey, address)
  putListPart(queryClient, path, data)
  if (path === '/cv') putCvParts(queryClient, data)
  const history = createMemoryHistory({ initialEntries: [path] })
  const router = createAppRouter({ queryClient, posted, history })
  await router.load()
  return {
    status: pageAt(path) ? 200 : 404,
    app: renderToString(<RouterProvider router={router} />),
    state: writeState(queryClient, posted),
  }
}

/** A list of several pages is handed over in part; one that has a single page, as nearly all have, whole. */
function putListPart(queryClient: QueryClient, path: string, data: SiteData): void {
  const list = listAt(path)
  if (!list) return
  const part = partOf(data, list)
  if (list.page !== 1 || pagesOf(part.count) > 1) {
    queryClient.setQueryData(listPartQuery(list.section, list.page).queryKey, part)
  }
}

/** A section of more entries than the CV shows is handed over in part, so that what it was given is not taken for the whole. */
function putCvParts(queryClient: QueryClient, data: SiteData): void {
  for (const section of sections) {
    const part = partOf(data, { section, page: 1 }, entriesOnCv)
    if (part.count > entriesOnCv) {
      queryClient.setQueryData(listPartQuery(section, 'cv').queryKey, part)
    }
  }
}
