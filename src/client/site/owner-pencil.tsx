import type { SyncState } from '#client/data/overlay.ts'
import { isAdmin, useSession } from '#client/data/session.ts'
import { lazyInBrowser } from './lazy-in-browser.tsx'

// Only the owner's browser ever asks for this code.
const EditLink = lazyInBrowser(() =>
  import('#client/owner/shell/edit-link.tsx').then((file) => file.EditLink),
)
const ProfileMark = lazyInBrowser(() =>
  import('#client/owner/shell/edit-link.tsx').then((file) => file.ProfileMark),
)

interface OwnerPencilProps {
  readonly form: 'header' | 'about'
}

export function OwnerPencil({ form }: OwnerPencilProps) {
  const isOwner = isAdmin(useSession())
  return isOwner && <EditLink form={form} />
}

export function OwnerMark({ sync }: { readonly sync: SyncState | undefined }) {
  return sync && <ProfileMark sync={sync} />
}
