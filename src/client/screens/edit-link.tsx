import { Link } from '@tanstack/react-router'
import { personId } from '#contract/limits.ts'
import { personForms } from '#contract/person.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { Icon } from '#client/ui/icon.tsx'

interface EditLinkProps {
  readonly form: keyof typeof personForms
}

const labels = { header: ownerTexts.editHeader, about: ownerTexts.editAbout }

/** The way to one of the profile's two forms. */
export function EditLink({ form }: EditLinkProps) {
  const link = (
    <Link
      className={form === 'header' ? 'icon-btn pencil-tone' : 'icon-btn'}
      to={personForms[form].editPath}
      params={{ id: String(personId) }}
      aria-label={labels[form]}
      title={ownerTexts.edit}
    >
      <Icon name="pencil" />
    </Link>
  )
  return form === 'header' ? link : <div className="edit">{link}</div>
}
