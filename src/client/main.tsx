import { RouterProvider } from '@tanstack/react-router'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { readSiteFromApi } from './data/queries.ts'
import { createQueryClient } from './data/query-client.ts'
import { readState } from './data/state.ts'
import { startInstallOffer, startOffline } from './offline.ts'
import { showArrival } from './platform/arrival.ts'
import { createAppRouter } from './router.tsx'

const queryClient = createQueryClient(readSiteFromApi)
const container = document.getElementById('app')
if (!container) throw new Error('the page has no #app')

const state = document.getElementById('state')?.textContent
const posted = state ? readState(state, queryClient) : undefined
const router = createAppRouter({ queryClient, posted })
const isRestored = startOffline(queryClient)

router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) showArrival()
})

if (state) {
  const drawn = new Promise<void>((resolve) => {
    const stop = router.subscribe('onRendered', () => {
      stop()
      resolve()
    })
  })
  // Tells the router that the server drew this page; without it the trees differ and React draws all anew.
  router.ssr = { manifest: undefined }
  await router.load()
  hydrateRoot(container, <RouterProvider router={router} />)
  // Whoever imported this module may now repeat the press that started it.
  await drawn
  forgetPostedForm()
} else {
  await isRestored
  createRoot(container).render(<RouterProvider router={router} />)
}
startInstallOffer((listener) => router.subscribe('onRendered', listener))

/** A form answered on this page is old news on the next one. */
function forgetPostedForm(): void {
  const stop = router.subscribe('onBeforeNavigate', () => {
    stop()
    router.update({ ...router.options, context: { queryClient } })
  })
}
