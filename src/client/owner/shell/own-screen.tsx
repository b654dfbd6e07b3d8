import { Fragment, type ReactNode } from 'react'
import { isAdmin, useSession } from '#client/data/session.ts'

/**
 * Draws what is hers alone as long as she is signed in: after LogOut in another tab the page stands until the server
 * answers with the next one. Another account begins anew: what a form started from, waiting changes and typed text in it,
 * was of the one before.
 */
export function OwnScreen({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  return isAdmin(session) ? <Fragment key={session.account}>{children}</Fragment> : null
}
