import { pageSame } from '#contract/offline/kept-page.ts'

/** The server's word is waited for so long, in milliseconds. */
const saidWithinMs = 1000

const facts = () => document.documentElement.dataset

/** When the server drew the page, in milliseconds since 1970, as long as it is the worker's copy that is shown. */
export function keptSince(): number | undefined {
  // The worker keeps none where the settings come from Firebase.
  if (import.meta.env.VITE_FIREBASE_CONFIG) return undefined
  const { kept } = facts()
  return kept ? Number(kept) : undefined
}

/**
 * Follows what the worker hears of a page that it had kept: one that the server draws the same is no copy any more. For
 * news, and for silence, `onNews` is called.
 */
export function followKeptPage(onNews: () => void): void {
  if (import.meta.env.VITE_FIREBASE_CONFIG || !keptSince()) return
  // Nothing is closed to a page that a worker answered.
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (data === pageSame) delete facts()['kept']
    else onNews()
  })
  setTimeout(() => keptSince() && onNews(), saidWithinMs)
}
