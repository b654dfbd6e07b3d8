import type { ReactNode } from 'react'

/* Stands in for the router where pages are not drawn: whoever plays the history opens them by hand. */

let place = '/'
const visits = new Set<() => void>()

/** Goes to a path, as the product's links do. */
export function goTo(path: string): void {
  place = path
  for (const visit of visits) visit()
}

export const placeNow = () => place

export function onVisit(visit: () => void): () => void {
  visits.add(visit)
  return () => void visits.delete(visit)
}

interface LinkProps {
  readonly children?: ReactNode
  readonly params?: unknown
}

export function Link({ children, params }: LinkProps) {
  return <span data-params={params}>{children}</span>
}

export const ClientOnly = ({ children }: LinkProps) => children

const router = {
  navigate: ({ to }: { readonly to: string }) => Promise.resolve(goTo(to)),
  history: { canGoBack: () => false, back: () => undefined },
}

export const useRouter = () => router
export const useNavigate = () => router.navigate
export const useBlocker = () => ({ status: 'idle' })
export const useLocation = () => place
