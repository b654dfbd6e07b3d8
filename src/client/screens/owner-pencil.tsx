import { lazy, Suspense } from 'react'
import { isAdmin, useSession } from '#client/data/session.ts'

// Only the owner's browser ever asks for this code.
const EditLink = lazy(async () => ({ default: (await import('./edit-link.tsx')).EditLink }))

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
