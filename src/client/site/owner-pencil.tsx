import { Suspense } from 'react'
import type { SyncState } from '#client/data/overlay.ts'
import { part } from '#client/data/part.ts'
import { isAdmin, useSession } from '#client/data/session.ts'

// Only the owner's browser ever asks for this code.
const EditLink = part(() =>
  import('#client/owner/shell/edit-link.tsx').then((file) => file.EditLink),
)
const ProfileMark = part(() =>
  import('#client/owner/shell/edit-link.tsx').then((file) => file.ProfileMark),
)

interface OwnerPencilProps {
  readonly form: 'header' | 'about'
}

/** The pencil that leads the owner to one of the profile's forms; nothing for visitors. */
export function OwnerPencil({ form }: OwnerPencilProps) {
  const isOwner = isAdmin(useSession())
  if (!isOwner) return null
  return (
    <Suspense fallback={null}>
      <EditLink form={form} />
    </Suspense>
  )
}

/** How the profile stands with the server; nothing when both agree, and never for visitors. */
export function OwnerMark({ sync }: { readonly sync: SyncState | undefined }) {
  if (sync === undefined) return null
  return (
    <Suspense fallback={null}>
      <ProfileMark sync={sync} />
    </Suspense>
  )
}
