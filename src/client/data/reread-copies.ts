import type { QueryClient } from '@tanstack/react-query'
import { connection } from '#client/browser/connection.ts'

const firstPauseMs = 2_000
const longestPauseMs = 60_000

/**
 * Asks again for what the page shows, after longer and longer pauses, as long as there is a network but only the device's
 * copy answered: the first requests of a connection that is back often fail.
 */
export function rereadCopies(queryClient: QueryClient): void {
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
