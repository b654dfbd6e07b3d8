import { profilesOf } from '#contract/settings/profiles.ts'
import type { SettingValues } from '#contract/settings/settings.ts'
import { texts } from '#contract/texts/site.ts'
import { Icon } from '#client/ui/icon.tsx'
import { copyEmail } from './copy-email.ts'

const year = new Date().getFullYear()

interface FooterProps {
  readonly name: string
  readonly settings: SettingValues
}

export function Footer({ name, settings }: FooterProps) {
  const { email } = settings
  return (
    <footer className="site-foot">
      <div className="wrap">
        {/* Pages are kept until the content changes, so the year may have turned since the server drew this. */}
        <p suppressHydrationWarning>
          © {year} {name}
        </p>
        <ul>
          {profilesOf(settings).map(({ icon, label, href }) => (
            <li key={href}>
              <a href={href} target="_blank" rel="noopener noreferrer">
                <Icon name={icon} />
                {label}
              </a>
            </li>
          ))}
          {email && (
            <li>
              <button type="button" onClick={() => void copyEmail(email)}>
                <Icon name="copy" />
                {texts.copyEmail}
              </button>
            </li>
          )}
        </ul>
      </div>
    </footer>
  )
}
