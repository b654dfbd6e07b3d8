import { useRouter } from '@tanstack/react-router'
import { Fragment, useEffect, type ReactNode } from 'react'
import { isAdmin, useSession } from '#client/data/session.ts'
import { isPageLeaving } from '#client/session/session-change.ts'

/**
 * Draws what is hers alone as long as she is signed in: after LogOut in another tab the page stands until the server
 * answers with the next one. Another account begins anew: what a form started from, waiting changes and typed text in it,
 * was of the one before.
 */
export function OwnScreen({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  const isOwner = isAdmin(session)
  const router = useRouter()
  useEffect(() => {
    // The server took its time to say that it keeps her session no longer: the guard in front of the page asks again.
    if (!isOwner && !isPageLeaving()) void router.invalidate()
  }, [isOwner, router])
  return isOwner ? <Fragment key={session.account}>{children}</Fragment> : null
}
