import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { safeHref } from '#contract/link.ts'
import { settingKinds, type SettingOrigin } from '#contract/settings/kinds.ts'
import { profilesOf } from '#contract/settings/profiles.ts'
import { settingWords } from '#contract/texts/setting-words.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { isFocusLost } from '#client/ui/lost-focus.ts'
import { pencilOf, type AddressRowProps } from './address-row.tsx'
import { useSetting, type SaveState } from './use-setting.tsx'
import { useTypedSetting } from './use-typed-setting.ts'

const icons = { linkedin_url: 'linkedin', github_url: 'github', profile_urls: 'ext' } as const

/** The id of the button that opens a row for one more address. */
export const addressAdderId = 'add-address'

interface Addresses {
  readonly rows: readonly (AddressRowProps & { readonly key: string })[]
  readonly add: () => void
  /** What came of a change that has no row to say it. */
  readonly state: SaveState
  readonly origin: SettingOrigin
  readonly question: ReactNode
}

/** How a row stood when it was opened. */
interface Opened {
  /** It does not change under her while she types. */
  readonly name: string
  /** All that was typed; absent where it was what is stored. */
  readonly typed: string | undefined
  readonly isNew: boolean
}

const silent: SaveState = { saved: false }
/** What is shown of an address wherever it is read; what is no address is shown as it is. */
const shownOf = (link = '') => {
  const [profile] = profilesOf({ linkedin_url: '', github_url: '', profile_urls: link })
  return profile ?? { label: link, address: link }
}
const isFaulty = (link = '') => link.trim() !== '' && safeHref(link) === undefined

/** The addresses of a setting, changed one at a time; the setting is saved as a whole, in place of what it was. */
export function useAddresses(settingKey: keyof typeof icons, value: string): Addresses {
  const { value: shown, state, origin, question, ...setting } = useSetting(settingKey, value)
  const isFixed = origin === 'firebase'
  const { typed, begin, type, save } = useTypedSetting({
    settingKey,
    value: shown,
    isUnread: isFixed,
    onSave: setting.save,
  })
  const isList = settingKinds[settingKey].is === 'urls'
  // The row that was opened last, where it is said what came of it; a row that was removed says nothing.
  const [place, setPlace] = useState(isList ? undefined : 0)
  const [opened, setOpened] = useState<Opened>()
  const focusNext = useFocusNext(`setting-${settingKey}-`)

  const linesIn = (text: string) => (isList && text === '' ? [] : text.split('\n'))
  const stored = linesIn(shown)
  const lines = linesIn(isFixed ? value : typed)
  const id = (at: number) => `setting-${settingKey}-${at}`
  const nameAt = (at: number) =>
    isList ? shownOf(lines[at]).label || settingsTexts.newLink : settingWords[settingKey].label
  const open = (at: number) => {
    setPlace(at)
    setOpened({
      name: nameAt(at),
      typed: typed === shown ? undefined : typed,
      isNew: at === lines.length,
    })
  }

  /** The whole with another address in the row; a new one that is emptied again was never there. */
  const withLine = (at: number, link: string): string => {
    const isNothing = isList && link === '' && at >= stored.length
    return lines.toSpliced(at, 1, ...(isNothing ? [] : [link])).join('\n')
  }

  const leave = (at: number, isFocusElsewhere: boolean): void => {
    const kept = save()
    // The row that is wrong stays open; another one may be the wrong one.
    if (kept === undefined && (isFaulty(lines[at]) || !lines.some(isFaulty))) return
    const isWhole = kept === undefined || !isList
    const now = isWhole ? at : linesIn(kept).indexOf((lines[at] ?? '').trim())
    setPlace(now < 0 ? undefined : now)
    setOpened(undefined)
    const next = opened?.isNew ? addressAdderId : pencilOf(id(now))
    focusNext(isFocusElsewhere ? undefined : next)
  }

  const putBack = (at: number): void => {
    const text = opened?.typed ?? shown
    if (typed !== text) type(text)
    if (text === shown) setting.putBack()
    setOpened(undefined)
    focusNext(pencilOf(id(at)))
  }

  const faulty = state.error === undefined ? -1 : lines.findIndex(isFaulty)
  const told = faulty < 0 ? place : faulty
  const toldState = faulty < 0 ? state : { saved: false, error: fieldErrors.url }
  const isOpenAt = (at: number) => opened !== undefined && !isFixed && at === place
  const count = isOpenAt(lines.length) ? lines.length + 1 : lines.length
  // A row stays what it is where one above it is removed: a press that began on one must not end on another.
  const keyAt = (at: number) => (isOpenAt(at) ? `open ${at}` : (stored[at] ?? at))
  const rows = Array.from({ length: count }, (_, at) => ({
    key: isList ? `${settingKey} ${keyAt(at)}` : settingKey,
    id: id(at),
    icon: icons[settingKey],
    name: (isOpenAt(at) && opened?.name) || nameAt(at),
    effect: settingWords[settingKey].effect,
    link: lines[at] ?? '',
    address: shownOf(lines[at]).address,
    state: at === told ? toldState : silent,
    isOpen: isOpenAt(at),
    origin: isList ? undefined : origin,
    onOpen: isFixed ? undefined : () => open(at),
    calls: {
      begin,
      type: (link: string) => type(withLine(at, link)),
      leave: (isFocusElsewhere: boolean) => leave(at, isFocusElsewhere),
      putBack: () => putBack(at),
    },
  }))
  return {
    rows,
    add: () => open(lines.length),
    state: told !== undefined && told < count ? silent : state,
    origin,
    question,
  }
}

/**
 * The returned function says which element, if any, takes the focus once the page has changed. Where that is gone, or the
 * row that had the focus, the button that adds one takes it.
 */
function useFocusNext(rowPrefix: string): (id: string | undefined) => void {
  const next = useRef<string>(undefined)
  const seen = useRef<Element>(null)
  useLayoutEffect(() => {
    const isGone = seen.current?.isConnected === false && isFocusLost()
    const id = next.current ?? (isGone ? addressAdderId : undefined)
    next.current = undefined
    if (id) (document.getElementById(id) ?? document.getElementById(addressAdderId))?.focus()
    const { activeElement } = document
    seen.current = activeElement?.id.startsWith(rowPrefix) ? activeElement : null
  })
  return (id) => {
    next.current = id
    // A row that is left for something else takes nothing back.
    seen.current = null
  }
}
