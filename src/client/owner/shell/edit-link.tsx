import { Link } from '@tanstack/react-router'
import { personId } from '#contract/limits.ts'
import { personForms } from '#contract/person/person.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import type { SyncState } from '#client/data/overlay.ts'
import { SyncMark } from '#client/owner/changes/sync-mark.tsx'
import { Icon } from '#client/ui/icon.tsx'

interface EditLinkProps {
  readonly form: keyof typeof personForms
}

const labels = { header: ownerTexts.editHeader, about: ownerTexts.editAbout }

export function EditLink({ form }: EditLinkProps) {
  const link = (
    <Link
      className={form === 'header' ? 'icon-btn pencil-tone' : 'icon-btn'}
      to={personForms[form].path}
      params={{ id: String(personId) }}
      aria-label={labels[form]}
      title={ownerTexts.edit}
    >
      <Icon name="pencil" />
    </Link>
  )
  return form === 'header' ? link : <div className="edit">{link}</div>
}

export function ProfileMark({ sync }: { readonly sync: SyncState }) {
  return <SyncMark sync={sync} subject={{ on: 'person' }} />
}
