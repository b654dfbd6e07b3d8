import { contactTexts } from '#contract/messages/contact.ts'
import { profilesOf } from '#contract/settings/profiles.ts'
import type { SettingValues } from '#contract/settings/settings.ts'
import { texts } from '#contract/texts/site.ts'
import { Icon } from '#client/ui/icon.tsx'
import { copyEmail } from '#client/site/shell/copy-email.ts'

interface ContactLinksProps {
  readonly settings: SettingValues
}

/** Leaves out the links that the settings do not name. */
export function ContactLinks({ settings }: ContactLinksProps) {
  const { email } = settings
  const profiles = profilesOf(settings)
  if (!email && profiles.length === 0) return null
  return (
    <ul className="ways" aria-label={contactTexts.ways}>
      {email && (
        <li>
          <button type="button" onClick={() => void copyEmail(email)}>
            <Icon name="mail" />
            <span>
              {email}
              <small>{texts.copyEmail}</small>
            </span>
            <Icon name="copy" />
          </button>
        </li>
      )}
      {profiles.map(({ icon, label, href, address }) => (
        <li key={href}>
          <a href={href} target="_blank" rel="noopener noreferrer">
            <Icon name={icon} />
            <span>
              {label}
              <small>{address}</small>
            </span>
            <Icon name="ext" />
          </a>
        </li>
      ))}
    </ul>
  )
}
