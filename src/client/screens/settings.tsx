import { useSuspenseQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { defaultSettings, settingKeys } from '#contract/setting-defaults.ts'
import type { SettingValues } from '#contract/settings.ts'
import { settingWords, type SettingWords } from '#contract/settings-words.ts'
import { noticeTexts } from '#contract/texts-inbox.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { texts } from '#contract/texts.ts'
import { useShownSettings } from '#client/data/outbox/shown.ts'
import { settingsQuery } from '#client/data/queries.ts'
import { AppSettings } from '#client/sections/app-settings.tsx'
import { PushSettings } from '#client/sections/push-settings.tsx'
import { SessionSettings } from '#client/sections/session-settings.tsx'
import { SettingRow } from '#client/sections/setting-row.tsx'
import '#client/styles/owner.css'

const groups = [
  { id: 'datos', title: ownerTexts.facts, group: 'facts' },
  { id: 'remota', title: ownerTexts.remote, group: 'remote' },
] as const satisfies readonly {
  readonly group: SettingWords['group']
  readonly [name: string]: string
}[]

const application = { id: 'aplicacion', title: ownerTexts.application }
const push = { id: 'avisos', title: noticeTexts.title }
const session = { id: 'sesion', title: ownerTexts.session }

/** What the owner sets without publishing anew; every field is saved on its own, at once. */
export function SettingsScreen() {
  // A copy of an older build says nothing of what is new.
  const values = { ...defaultSettings, ...useShownSettings(useSuspenseQuery(settingsQuery).data) }
  const hash = useLocation({ select: (location) => location.hash })
  const [facts, ...others] = groups
  const places = [facts, push, ...others, application, session]
  const current = places.find(({ id }) => id === hash) ?? places[0]
  return (
    <>
      <header className="page-head">
        <h1 className="caret">{texts.settings}</h1>
      </header>
      <div className="settings">
        <nav className="settings-nav" aria-label={ownerTexts.settingsSections}>
          {places.map((place) => (
            <a
              key={place.id}
              href={`#${place.id}`}
              aria-current={place === current ? 'true' : undefined}
            >
              {place.title}
            </a>
          ))}
        </nav>
        <div>
          <SettingGroup {...facts} values={values} />
          <section id={push.id} aria-labelledby={`${push.id}-title`}>
            <h2 id={`${push.id}-title`}>{push.title}</h2>
            <PushSettings />
          </section>
          {others.map((group) => (
            <SettingGroup key={group.id} {...group} values={values} />
          ))}
          <section id={application.id} aria-labelledby={`${application.id}-title`}>
            <h2 id={`${application.id}-title`}>{application.title}</h2>
            <AppSettings />
          </section>
          <section id={session.id} aria-labelledby={`${session.id}-title`}>
            <h2 id={`${session.id}-title`}>{session.title}</h2>
            <SessionSettings />
          </section>
        </div>
      </div>
    </>
  )
}

type SettingGroupProps = (typeof groups)[number] & { readonly values: SettingValues }

function SettingGroup({ id, title, group, values }: SettingGroupProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <div className="card">
        {settingKeys
          .filter((key) => settingWords[key].group === group)
          .map((key) => (
            <SettingRow key={key} settingKey={key} value={values[key]} />
          ))}
      </div>
    </section>
  )
}
