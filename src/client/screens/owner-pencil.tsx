import { lazy, Suspense } from 'react'
import type { SyncState } from '#client/data/outbox/overlay.ts'
import { isAdmin, useSession } from '#client/data/session.ts'

// Only the owner's browser ever asks for this code.
const EditLink = lazy(async () => ({ default: (await import('./edit-link.tsx')).EditLink }))

interface OwnerPencilProps {
  readonly form: 'header' | 'about'
  /** Where the profile stands with the server; absent when both agree. */
  readonly sync: SyncState | undefined
}

/** The pencil that leads the owner to one of the profile's forms, and how the profile stands with the server; nothing for visitors. */
export function OwnerPencil({ form, sync }: OwnerPencilProps) {
  const isOwner = isAdmin(useSession())
  if (!isOwner) return null
  return (
    <Suspense fallback={null}>
      <EditLink form={form} sync={sync} />
    </Suspense>
  )
}
