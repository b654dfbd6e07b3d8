import type { QueryClient } from '@tanstack/react-query'
import { connection } from '#client/browser/connection.ts'
import { pathOf } from '#client/data/queries.ts'

const firstPauseMs = 2_000
const longestPauseMs = 60_000

/**
 * Asks again for what the page shows, after longer and longer pauses, as long as there is a network but the server did
 * not answer for all of it: the first requests of a connection that is back often fail.
 */
export function rereadCopies(queryClient: QueryClient): void {
  const cache = queryClient.getQueryCache()
  const tell = () =>
    connection.shows(cache.findAll({ type: 'active' }).map(({ queryKey }) => pathOf(queryKey)))
  tell()
  cache.subscribe(({ type }) => type.startsWith('observer') && tell())
  let pauseMs = firstPauseMs
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = () => {
    timer = setTimeout(() => {
      void queryClient.invalidateQueries()
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      ask()
    }, pauseMs)
  }
  connection.subscribe(() => {
    clearTimeout(timer)
    if (connection.get() === 'saved') ask()
    else pauseMs = firstPauseMs
  })
}
