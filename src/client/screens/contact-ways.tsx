import { contactTexts } from '#contract/contact.ts'
import { safeHref } from '#contract/link.ts'
import type { SettingValues } from '#contract/settings.ts'
import { texts } from '#contract/texts.ts'
import { Icon } from '#client/ui/icon.tsx'
import { copyEmail } from './shell/copy-email.ts'

interface ContactWaysProps {
  readonly settings: SettingValues
}

/** The ways to the owner that need no form; those the settings do not name are left out. */
export function ContactWays({ settings: { email, linkedin_url, github_url } }: ContactWaysProps) {
  const profiles = [
    {
      icon: 'linkedin',
      label: texts.linkedin,
      hint: contactTexts.linkedinHint,
      link: linkedin_url,
    },
    { icon: 'github', label: texts.github, hint: contactTexts.githubHint, link: github_url },
  ].flatMap(({ link, ...profile }) => {
    const href = safeHref(link)
    return href ? [{ ...profile, href }] : []
  })
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
      {profiles.map(({ icon, label, hint, href }) => (
        <li key={icon}>
          <a href={href} target="_blank" rel="noopener noreferrer">
            <Icon name={icon} />
            <span>
              {label}
              <small>{hint}</small>
            </span>
            <Icon name="ext" />
          </a>
        </li>
      ))}
    </ul>
  )
}
