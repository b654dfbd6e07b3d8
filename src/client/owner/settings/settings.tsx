import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { defaultSettings, settingKeys } from '#contract/settings/defaults.ts'
import type { OwnSettings } from '#contract/settings/settings.ts'
import { settingPlaces, settingWords, type SettingWords } from '#contract/texts/setting-words.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { texts } from '#contract/texts/site.ts'
import { useSettings } from '#client/data/overlay.ts'
import { settingsQuery } from '#client/data/queries.ts'
import { PushSettings } from '#client/owner/notifications/push-settings.tsx'
import { Icon, Sprite } from '#client/ui/icon.tsx'
import { AccessSettings } from './access-settings.tsx'
import { AgeSettings } from './age-settings.tsx'
import { AppSettings } from './app-settings.tsx'
import { Bin, BinLine, binPlace } from './bin.tsx'
import { BackupSettings } from './backup-settings.tsx'
import { LinkSettings } from './link-settings.tsx'
import { NoticeSettings } from './notice-settings.tsx'
import { SectionSettings } from './section-settings.tsx'
import { OwnData } from './own-data.tsx'
import { SettingRow } from './setting-row.tsx'
import { SettingsIndex } from './settings-index.tsx'
import { settingSymbols } from './setting-symbols.ts'
import { ThemeSetting } from './theme-setting.tsx'
import { useGroupFocus, useGroupInSight } from './group-in-sight.ts'
import '#client/styles/owner.css'

/** A group of settings and the line of the index that leads to it. */
export interface SettingsPlace {
  /** What stands behind the # of its address. */
  readonly id: string
  readonly title: string
  readonly about: string
  readonly icon: string
  readonly content: (values: OwnSettings) => ReactNode
}

const places: readonly SettingsPlace[] = [
  {
    id: settingPlaces.profile,
    title: settingsTexts.profile,
    about: settingsTexts.profileAbout,
    icon: 'user',
    content: (values) => <SettingCard group="profile" values={values} />,
  },
  {
    id: settingPlaces.look,
    title: settingsTexts.look,
    about: settingsTexts.lookAbout,
    icon: 'palette',
    content: (values) => (
      <div className="card">
        <ThemeSetting values={values} />
      </div>
    ),
  },
  {
    id: settingPlaces.sections,
    title: settingsTexts.sections,
    about: settingsTexts.sectionsAbout,
    icon: 'list',
    content: (values) => <SectionSettings values={values} />,
  },
  {
    id: settingPlaces.contact,
    title: settingsTexts.contact,
    about: settingsTexts.contactAbout,
    icon: 'mail',
    content: (values) => <SettingCard group="contact" values={values} />,
  },
  {
    id: settingPlaces.notice,
    title: settingsTexts.notice,
    about: settingsTexts.noticeAbout,
    icon: 'notice',
    content: (values) => <NoticeSettings values={values} />,
  },
  {
    id: settingPlaces.push,
    title: settingsTexts.notifications,
    about: settingsTexts.notificationsAbout,
    icon: 'bell',
    content: (values) => (
      <>
        <PushSettings />
        <SettingCard group="push" values={values} />
      </>
    ),
  },
  {
    id: 'datos',
    title: copiesTexts.title,
    about: settingsTexts.dataAbout,
    icon: 'data',
    content: () => (
      <>
        <BackupSettings />
        <OwnData />
        <BinLine />
        <LinkSettings />
      </>
    ),
  },
  {
    id: 'acceso',
    title: accessTexts.title,
    about: accessTexts.about,
    icon: 'key',
    content: () => <AccessSettings />,
  },
  {
    id: 'aplicacion',
    title: settingsTexts.application,
    about: settingsTexts.applicationAbout,
    icon: 'app',
    content: () => <AppSettings />,
  },
  {
    id: settingPlaces.advanced,
    title: settingsTexts.advanced,
    about: settingsTexts.advancedAbout,
    icon: 'sliders',
    content: (values) => <SettingCard group="advanced" values={values} />,
  },
]

/**
 * What the owner sets without publishing anew; every field is saved on its own, at once. On a wide screen one page with
 * its index beside it; on a phone the index, and each group alone.
 */
export function SettingsScreen() {
  const isBin = useLocation({ select: ({ hash }) => hash === binPlace })
  return isBin ? <Bin /> : <AllSettings />
}

function AllSettings() {
  // A copy of an older build says nothing of what is new.
  const values = { ...defaultSettings, ...useSettings(useSuspenseQuery(settingsQuery).data) }
  const hash = useLocation({ select: (location) => location.hash })
  const open = places.find(({ id }) => id === hash)?.id
  const inSight = useGroupInSight(open ?? settingPlaces.profile)
  useGroupFocus(open)
  return (
    <>
      <Sprite symbols={settingSymbols} />
      <header className="page-head">
        <h1 className="caret">{texts.settings}</h1>
      </header>
      <div className={open ? 'settings one' : 'settings'}>
        <SettingsIndex places={places} current={inSight} values={values} />
        <div>
          {places.map((place) => (
            <Group key={place.id} {...place} isOpen={place.id === open} values={values} />
          ))}
        </div>
      </div>
    </>
  )
}

interface GroupProps extends SettingsPlace {
  readonly isOpen: boolean
  readonly values: OwnSettings
}

function Group({ id, title, about, icon, content, isOpen, values }: GroupProps) {
  const isAdvanced = id === settingPlaces.advanced
  return (
    <section id={id} className={isOpen ? 'group open' : 'group'} aria-labelledby={`${id}-title`}>
      <Link className="btn quiet small back" to="/settings" hash="">
        <Icon name="back" />
        {texts.settings}
      </Link>
      <h2 id={`${id}-title`} tabIndex={-1}>
        {title}
      </h2>
      <p className="about">{about}</p>
      {isAdvanced ? (
        <details className="card advanced" open={isOpen}>
          <summary>
            <Icon name={icon} />
            <span>
              <b>{title}</b>
              <small>{about}</small>
            </span>
            <Icon name="chevron" />
          </summary>
          {content(values)}
        </details>
      ) : (
        content(values)
      )}
    </section>
  )
}

interface SettingCardProps {
  readonly group: SettingWords['group']
  readonly values: OwnSettings
}

function SettingCard({ group, values }: SettingCardProps) {
  return (
    <div className={group === 'advanced' ? undefined : 'card'}>
      {settingKeys
        .filter((key) => settingWords[key].group === group)
        .map((key) =>
          key === 'age_text' ? (
            <AgeSettings key={key} values={values} />
          ) : (
            <SettingRow key={key} settingKey={key} value={values[key]} />
          ),
        )}
    </div>
  )
}
