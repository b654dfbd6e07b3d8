import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { fullName } from '#contract/person/person.ts'
import { sections } from '#contract/sections/index.ts'
import { bannerEnd, hiddenSections, type SettingValues } from '#contract/settings/settings.ts'
import { fill } from '#contract/text.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { otherPlaces, settingPlaces } from '#contract/texts/setting-words.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { usePerson } from '#client/data/overlay.ts'
import { personQuery } from '#client/data/queries.ts'
import { useSession } from '#client/data/session.ts'
import { isStandalone } from '#client/offline/install.ts'
import { pushStateQuery } from '#client/owner/notifications/notifications.ts'
import { Icon } from '#client/ui/icon.tsx'
import { useNow } from '#client/ui/use-now.ts'
import { backupStatusQuery } from './backups.ts'
import { deadTitle } from './link-words.ts'
import { useDeadLinks } from './links.ts'
import { recentText, troubleTitle } from './backup-words.ts'
import type { PlaceId, SettingsPlace } from './settings.tsx'
import { dateInWords } from './written-date.ts'

interface SettingsIndexProps {
  readonly places: readonly SettingsPlace[]
  readonly current: string | undefined
  /** Called with the group that is gone to. */
  readonly onAsk: (id: string) => void
  readonly values: SettingValues
}

/** Stands beside the groups on a wide screen; on a phone it replaces them and shows their present values. */
export function SettingsIndex({ places, current, onAsk, values }: SettingsIndexProps) {
  const present = usePresentValues(values)
  const navigate = useNavigate()
  // The router navigates, not the browser: following a fragment the browser would move the focus away from the group.
  const open = (event: MouseEvent, hash: string) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onAsk(hash)
    // What she folded by hand React opens for a new address alone.
    document.getElementById(hash)?.querySelector('.advanced')?.setAttribute('open', '')
    // The router scrolls for a new address alone.
    if (location.hash === `#${hash}`) document.getElementById(hash)?.scrollIntoView()
    else void navigate({ to: '/settings', hash })
  }
  return (
    <nav className="settings-nav" aria-label={settingsTexts.index}>
      <ul>
        {places.map(({ id, title, icon }) => {
          const { words, isTrouble = false } = present[id]
          return (
            <li key={id}>
              <a
                href={`#${id}`}
                aria-current={id === current ? 'true' : undefined}
                onClick={(event) => open(event, id)}
              >
                <Icon name={icon} />
                <span>
                  <b>{title}</b>
                  <small className={isTrouble ? 'bad' : undefined}>{words}</small>
                </span>
                <Icon name="next" className="go" />
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

interface Present {
  readonly words?: string | undefined
  readonly isTrouble?: boolean
}

/** One line for each group, as far as the device knows its values. */
function usePresentValues(values: SettingValues): Readonly<Record<PlaceId, Present>> {
  const now = useNow()
  const person = usePerson(useSuspenseQuery(personQuery).data)
  const { userName } = useSession()
  const { data: push } = useQuery(pushStateQuery)
  const { data: status } = useQuery(backupStatusQuery)
  const dead = useDeadLinks()
  const version = import.meta.env.VITE_VERSION
  const copies = (): Present => {
    if (!status) return {}
    if (status.trouble) return { words: troubleTitle(status.trouble, status, now), isTrouble: true }
    if (dead.length > 0) return { words: deadTitle(dead), isTrouble: true }
    if (status.lastGood === null) return { words: copiesTexts.empty }
    return { words: fill(copiesTexts.last, { when: recentText(status.lastGood, now) }) }
  }
  return {
    [settingPlaces.profile]: {
      words: [fullName(person), values.location_text].filter(Boolean).join(' · '),
    },
    [settingPlaces.look]: { words: themeWords(values) },
    [settingPlaces.sections]: { words: sectionWords(values) },
    [settingPlaces.contact]: {
      words: values.contact_enabled === 'true' ? settingsTexts.open : settingsTexts.closed,
    },
    [settingPlaces.notice]: { words: noticeWords(values, now) },
    [settingPlaces.push]: {
      words: push && (push === 'on' ? settingsTexts.ringing : settingsTexts.silent),
    },
    [otherPlaces.data]: copies(),
    [otherPlaces.access]: { words: userName },
    [otherPlaces.application]: {
      words: fill(isStandalone() ? settingsTexts.installed : settingsTexts.version, { version }),
    },
    [settingPlaces.advanced]: { words: settingsTexts.advancedAbout },
  }
}

function themeWords({ default_theme: theme }: SettingValues): string {
  const { themeNow } = settingsTexts
  return theme === 'light' || theme === 'device' ? themeNow[theme] : themeNow.dark
}

function sectionWords(values: SettingValues): string {
  const hidden = hiddenSections(values)
  const shown = sections.filter(({ key }) => !hidden.includes(key)).length
  const off = sections.length - shown
  if (off === 0) return settingsTexts.allVisible
  const { visible, visibleOne, turnedOff, turnedOffOne } = settingsTexts
  return [
    shown === 1 ? visibleOne : fill(visible, { n: shown }),
    off === 1 ? turnedOffOne : fill(turnedOff, { n: off }),
  ].join(' · ')
}

function noticeWords(values: SettingValues, now: number): string {
  if (!values.banner_text) return settingsTexts.noNotice
  if (!values.banner_until) return settingsTexts.noticeShown
  const isOver = bannerEnd(values) <= now
  return fill(isOver ? settingsTexts.noticeOver : settingsTexts.noticeUntil, {
    date: dateInWords(values.banner_until),
  })
}
