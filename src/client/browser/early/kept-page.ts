import { pageSame } from '#contract/offline/kept-page.ts'

/** The page waits so long for the worker's news, in milliseconds. */
const saidWithinMs = 1000

const facts = () => document.documentElement.dataset

/** When the server drew the page, in milliseconds since 1970; undefined unless the page is the worker's copy. */
export function keptSince(): number | undefined {
  // The worker keeps no pages where the settings come from Firebase.
  if (import.meta.env.VITE_FIREBASE_CONFIG) return undefined
  const { kept } = facts()
  return kept ? Number(kept) : undefined
}

/**
 * Follows the worker's news of a kept page: a page that the server draws the same is no copy any more. Calls `onNews`
 * on news, and when none comes in time.
 */
export function followKeptPage(onNews: () => void): void {
  if (import.meta.env.VITE_FIREBASE_CONFIG || !keptSince()) return
  // A page that a worker answered has access to its workers.
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (data === pageSame) delete facts()['kept']
    else onNews()
  })
  setTimeout(() => keptSince() && onNews(), saidWithinMs)
}
