import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { logProblem } from '#client/browser/early/log.ts'
import { routeTree, type RouterContext } from './routes.tsx'
import { Broken } from '#client/site/broken.tsx'

interface RouterOptions extends RouterContext {
  /** The server gives the place of the page to draw; absent, the browser's own history counts. */
  readonly history?: RouterHistory
  /** Whether the router decides where the page that it draws is scrolled to. */
  readonly scrolls?: () => boolean
}

/** The router of every page, for the server's drawing and the browser alike. */
export function createAppRouter({ queryClient, posted, history, scrolls }: RouterOptions) {
  return createRouter({
    routeTree,
    context: { queryClient, posted },
    ...(history && { history }),
    Wrap: ({ children }) => (
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    ),
    defaultPreload: 'intent',
    // On the server it would write an inline script, which the page's policy forbids.
    ...(scrolls && { scrollRestoration: scrolls }),
    defaultErrorComponent: Broken,
    defaultOnCatch: (error) => logProblem('A page failed while being drawn', error),
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface HistoryState {
    /** Set by a guard that turned away somebody who is not signed in. */
    isAsked?: boolean
    /** The address that somebody who is not signed in was sent from. */
    from?: string
    /** The CV is to be printed as soon as it is complete. */
    print?: boolean
  }
}
