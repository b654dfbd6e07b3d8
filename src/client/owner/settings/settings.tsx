import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { binPlace } from '#contract/entries/bin.ts'
import { defaultSettings, settingKeys } from '#contract/settings/defaults.ts'
import type { OwnSettings } from '#contract/settings/settings.ts'
import {
  otherPlaces,
  settingPlaces,
  settingWords,
  type SettingWords,
} from '#contract/texts/setting-words.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { texts } from '#contract/texts/site.ts'
import { focusHeading } from '#client/browser/focus-after-navigation.ts'
import { useSettings } from '#client/data/overlay.ts'
import { settingsQuery } from '#client/data/queries.ts'
import { OwnScreen } from '#client/owner/shell/own-screen.tsx'
import { isFocusLost } from '#client/ui/lost-focus.ts'
import { PushSettings } from '#client/owner/notifications/push-settings.tsx'
import { buttonClass } from '#client/ui/button.tsx'
import { Icon, Sprite, type Symbols } from '#client/ui/icon.tsx'
import { AccessSettings } from './access-settings.tsx'
import { AgeSettings } from './age-settings.tsx'
import { AppSettings } from './app-settings.tsx'
import { Bin, BinLine } from './bin.tsx'
import { BackupSettings } from './backup-settings.tsx'
import { useGroupInSight } from './group-in-sight.ts'
import { LinkSettings } from './link-settings.tsx'
import { NoticeSettings } from './notice-settings.tsx'
import { SectionSettings } from './section-settings.tsx'
import { OwnData } from './own-data.tsx'
import { ProfileLinks } from './profile-links.tsx'
import { SettingRow } from './setting-row.tsx'
import { SettingsIndex } from './settings-index.tsx'
import { ThemeSetting } from './theme-setting.tsx'
import '#client/styles/owner.css'
import { withinSettings } from './within-settings.ts'

/** Lucide outlines (ISC). */
const symbols: Symbols = {
  app: 'M7 3h10a4 4 0 0 1 4 4v10a4 4 0 0 1-4 4H7a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4zM12 8v8M8.5 12.5 12 16l3.5-3.5',
  calendar:
    'M8 2v4M16 2v4M5 4h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM3 10h18',
  data: 'M3 5a9 3 0 1 0 18 0a9 3 0 1 0-18 0zM3 5V19A9 3 0 0 0 21 19V5M3 12A9 3 0 0 0 21 12',
  list: 'M3 5h.01M3 12h.01M3 19h.01M8 5h13M8 12h13M8 19h13',
  notice:
    'M11 6a13 13 0 0 0 8.4-2.8A1 1 0 0 1 21 4v12a1 1 0 0 1-1.6.8A13 13 0 0 0 11 14H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2zM6 14a12 12 0 0 0 2.4 7.2 2 2 0 0 0 3.2-2.4A8 8 0 0 1 10 14M8 6v8',
  palette:
    'M12 2a10 10 0 0 0 0 20c.926 0 1.648-.746 1.648-1.688 0-.437-.18-.835-.437-1.125-.29-.289-.438-.652-.438-1.125a1.64 1.64 0 0 1 1.668-1.668h1.996c3.051 0 5.555-2.503 5.555-5.554C21.965 6.012 17.461 2 12 2zM13.5 6.5h.01M17.5 10.5h.01M8.5 7.5h.01M6.5 12.5h.01',
  sliders: 'M10 5H3M12 19H3M14 3v4M16 17v4M21 12h-9M21 19h-5M21 5h-7M8 10v4M8 12H3',
}

type Places = typeof settingPlaces & typeof otherPlaces
/** The fragment of a part's address. */
export type PlaceId = Places[keyof Places]

export interface SettingsPlace {
  readonly id: PlaceId
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
    content: (values) => (
      <>
        <SettingCard group="profile" values={values} />
        <h3 className="setting-head">{settingsTexts.profiles}</h3>
        <ProfileLinks values={values} />
      </>
    ),
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
    id: otherPlaces.data,
    title: copiesTexts.title,
    about: settingsTexts.dataAbout,
    icon: 'data',
    content: (values) => (
      <>
        <BackupSettings />
        <OwnData values={values} />
        <BinLine />
        <LinkSettings />
      </>
    ),
  },
  {
    id: otherPlaces.access,
    title: accessTexts.title,
    about: accessTexts.about,
    icon: 'key',
    content: () => <AccessSettings />,
  },
  {
    id: otherPlaces.application,
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
 * Every field is saved on its own, at once. A wide screen shows one page with its index beside it; a phone the index,
 * and each group alone.
 */
export function SettingsScreen() {
  const isBin = useLocation({ select: ({ hash }) => hash === binPlace })
  useBinFocus(isBin)
  return <OwnScreen>{isBin ? <Bin /> : <AllSettings />}</OwnScreen>
}

function AllSettings() {
  // A copy of an older build lacks newer settings.
  const values = { ...defaultSettings, ...useSettings(useSuspenseQuery(settingsQuery).data) }
  const hash = useLocation({ select: (location) => location.hash })
  const open = places.find(({ id }) => id === hash)?.id
  const { current, ask } = useGroupInSight(settingPlaces.profile, open)
  useGroupFocus(open)
  return (
    <>
      <Sprite symbols={symbols} />
      <header className="page-head">
        <h1 className="caret">{texts.settings}</h1>
      </header>
      <div className={open ? 'settings one' : 'settings'}>
        <SettingsIndex places={places} current={current} onAsk={ask} values={values} />
        <div>
          {places.map((place) => (
            <Group key={place.id} {...place} isOpen={place.id === open} values={values} />
          ))}
        </div>
      </div>
    </>
  )
}

/** The bin takes the place of the settings, and they of it: the focus moves to the title of what has come. */
function useBinFocus(isBin: boolean): void {
  const before = useRef(isBin)
  useLayoutEffect(() => {
    const was = before.current
    before.current = isBin
    if (isBin === was || !isFocusLost()) return
    const group = document.querySelector<HTMLElement>('.group.open h2')
    if (group) group.focus({ preventScroll: true })
    else focusHeading()
  }, [isBin])
}

/** On a phone a group replaces the index: the focus moves to its title, and back to its line. */
function useGroupFocus(open: string | undefined): void {
  const before = useRef(open)
  useLayoutEffect(() => {
    const left = before.current
    before.current = open
    if (open === left) return
    endQuestions()
    if (!isFocusLost()) return
    const selector = open ? `#${open}-title` : `.settings-nav a[href="#${left ?? ''}"]`
    document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: open !== undefined })
    if (open) scrollTo(0, 0)
  }, [open])
}

/** What asks in a group that has gone out of sight would hold the whole page: it ends as by Escape. */
function endQuestions(): void {
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('.settings dialog:modal')) {
    // At once, since nothing behind it takes the focus before.
    dialog.close()
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
  }
}

interface GroupProps extends SettingsPlace {
  readonly isOpen: boolean
  readonly values: OwnSettings
}

function Group({ id, title, about, icon, content, isOpen, values }: GroupProps) {
  const isAdvanced = id === settingPlaces.advanced
  return (
    <section id={id} className={isOpen ? 'group open' : 'group'} aria-labelledby={`${id}-title`}>
      <Link className={buttonClass({ tone: 'quiet', small: true }, 'back')} {...withinSettings}>
        <Icon name="back" />
        {texts.settings}
      </Link>
      <h2 id={`${id}-title`} tabIndex={-1}>
        {title}
      </h2>
      <p className="purpose">{about}</p>
      {isAdvanced ? (
        <details className="card unfolds advanced" open={isOpen}>
          <summary>
            <Icon name={icon} />
            <span>
              <b>{title}</b>
              <small>{about}</small>
            </span>
            <Icon name="unfold" />
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
