import { QueryCache, QueryClient } from '@tanstack/react-query'
import { noteAnswer } from '#client/browser/answers.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { ApiError } from './api.ts'
import { pathOf, type ReadSite } from './queries.ts'

/** Data stays fresh until a change or the tab's return asks again. */
export function createQueryClient(readSite: ReadSite): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey, state }) => {
        // An ended session leads to a new sign-in and is no failure to load.
        if (error instanceof ApiError && error.status === 401) return
        logProblem(`Could not load ${queryKey.join('/')}`, error)
        const path = pathOf(queryKey)
        if (path !== undefined && state.data !== undefined) noteAnswer(path, '')
      },
    }),
    defaultOptions: {
      queries: {
        queryFn: ({ client, queryKey }) => readSite(queryKey, client.getQueryData(queryKey)),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: 'always',
        refetchOnReconnect: 'always',
        // Without a connection the attempt fails at once and the page says so, instead of waiting silently.
        networkMode: 'always',
        retry: (failures, error) => failures < 1 && !(error instanceof ApiError),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
