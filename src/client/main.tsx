import { RouterProvider } from '@tanstack/react-router'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { readSiteFromApi } from './data/queries.ts'
import { createQueryClient } from './data/query-client.ts'
import { readState } from './data/state.ts'
import { focusAfterNavigation, isStill } from './browser/focus-after-navigation.ts'
import { keptSince } from './browser/early/kept-page.ts'
import { logProblem } from './browser/early/log.ts'
import { createAppRouter } from './app/router.tsx'
import { sayTakenOver, takenOver } from './site/taken-over.tsx'

/** A page that failed never says that React took it over; its presses wait no longer than so many milliseconds. */
const takenOverWithinMs = 9_000

const queryClient = createQueryClient(readSiteFromApi)
// React itself refuses a page without it.
const container = document.getElementById('app') as HTMLElement

const state = document.getElementById('state')?.textContent
const posted = state ? readState(state, queryClient, keptSince()) : undefined
// A page that was scrolled before the application started stays where it is.
let isFirst = true
const scrolls = () => !isFirst || scrollY === 0
const router = createAppRouter({ queryClient, posted, scrolls })
addEventListener('click', repeatCoveredPress)
// Not to the page that is there already: what is pressed while the browser passes from one to the next would meet neither.
router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
  router.shouldViewTransition = fromLocation !== undefined && !isStill()
})
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  isFirst = false
  if (fromLocation && pathChanged) focusAfterNavigation()
})

if (state) {
  // Tells the router that the server drew this page; without it the trees differ and React draws all anew.
  router.ssr = { manifest: undefined }
  await router.load()
  hydrateRoot(container, <RouterProvider router={router} />)
  dispatchEvent(new Event('taken'))
  // Whoever imported this module may then repeat the press that started it.
  setTimeout(sayTakenOver, takenOverWithinMs)
  await takenOver
  forgetPostedForm()
  void startOffline()
} else {
  // What the device kept is all there may be to draw from.
  await startOffline()
  createRoot(container).render(<RouterProvider router={router} />)
}

/** Reads back what the device kept and looks after it from then on; apart, since no first paint needs it. */
function startOffline(): Promise<void> {
  return import('./offline/start.ts')
    .then((offline) => offline.startOffline(queryClient, router))
    .catch((cause: unknown) => logProblem('Nothing is kept', cause))
}

/** A form answered on this page is old news on the next one. */
function forgetPostedForm(): void {
  const stop = router.subscribe('onBeforeNavigate', () => {
    stop()
    router.update({ ...router.options, context: { queryClient } })
  })
}

/**
 * Presses again what a press was meant for. While the browser passes from one page to the next it draws nothing for some
 * frames, and a press then meets the whole document in place of what stands there.
 */
function repeatCoveredPress(press: MouseEvent): void {
  // The second press of two is meant for the page that the first one left.
  if (press.target === document.documentElement && press.detail < 2) repeatUncovered(press, 60)
}

/** In the first of so many frames in which something stands there: the first with the new page may still be covered. */
function repeatUncovered(press: MouseEvent, frames: number): void {
  requestAnimationFrame(() => {
    const covered = document.elementFromPoint(press.clientX, press.clientY)
    if (covered === press.target && frames > 1) return repeatUncovered(press, frames - 1)
    if (covered instanceof HTMLElement) covered.focus()
    if (covered !== press.target) covered?.dispatchEvent(new MouseEvent('click', press))
  })
}
