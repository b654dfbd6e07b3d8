import type { QueryClient } from '@tanstack/react-query'
import type { PostedForm } from '#contract/pages.ts'

/** What a server-drawn page hands to the browser beside its HTML: only what this page was drawn from. */
interface PageState {
  readonly queries: readonly (readonly [key: readonly unknown[], data: unknown])[]
  readonly posted?: PostedForm
}

/** The JSON cannot end the script element that holds it. */
export function writeState(queryClient: QueryClient, posted: PostedForm | undefined): string {
  const queries = queryClient
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.data !== undefined)
    .map(({ queryKey, state }) => [queryKey, state.data] as const)
  const state: PageState = { queries, ...(posted ? { posted } : {}) }
  return JSON.stringify(state).replaceAll('<', String.raw`\u003c`)
}

/** Returns the posted form when there was one. */
export function readState(
  json: string,
  queryClient: QueryClient,
  updatedAt = Date.now(),
): PostedForm | undefined {
  const { queries, posted } = JSON.parse(json) as PageState
  for (const [key, data] of queries) queryClient.setQueryData(key, data, { updatedAt })
  return posted
}
