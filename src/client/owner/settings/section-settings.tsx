import { Fragment } from 'react'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { hiddenSections, keysIn, type SettingValues } from '#contract/settings/settings.ts'
import { fill } from '#contract/text.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import {
  MoveArrows,
  MoveHandle,
  OrderKeys,
  orderSymbols,
  useDragging,
  useFocusReturn,
  useLettingGo,
  type MovableList,
  type TakeRow,
} from '#client/owner/editor/row-order.tsx'
import { hiddenWords } from '#client/owner/editor/hidden-words.ts'
import { useWholeList } from '#client/owner/editor/whole-list.ts'
import { Icon, Sprite } from '#client/ui/icon.tsx'
import { Switch } from '#client/ui/switch.tsx'
import { useSectionOrder } from './section-order.ts'
import { Origin } from './setting-row.tsx'
import { SavedMark, SettingError } from './setting-state.tsx'
import { useSetting } from './use-setting.tsx'

/** The settings hold three lists of keys: sections turned off, sections turned on, and the order of all. */
export function SectionSettings({ values }: { readonly values: SettingValues }) {
  const hidden = useSetting('sections_hidden', values.sections_hidden)
  const shown = useSetting('sections_shown', values.sections_shown)
  const order = useSetting('sections_order', values.sections_order)
  const isMovable = order.origin !== 'firebase'
  const list = useSectionOrder(order)
  const onDrag = useDragging(list)
  const refocus = useFocusReturn(list.rows)
  useLettingGo(list)
  const off = hiddenSections({ sections_hidden: hidden.value, sections_shown: shown.value })
  const turn = ({ key, startsOff = false }: Section, isOn: boolean) => {
    const { value, save } = startsOff ? shown : hidden
    const others = keysIn(value).filter((other) => other !== key)
    save((isOn === startsOff ? [...others, key] : others).join(','), value)
  }
  return (
    <>
      <Sprite symbols={orderSymbols} />
      <div className="card">
        <ul className={isMovable ? 'section-switches order-list' : 'section-switches'}>
          {list.rows.map((section, index) => (
            <SectionRow
              key={section.key}
              section={section}
              isOn={!off.includes(section.key)}
              isFixed={(section.startsOff ? shown : hidden).origin === 'firebase'}
              onTurn={(isOn) => turn(section, isOn)}
              {...(isMovable && { move: { list, index, refocus, onDrag } })}
            />
          ))}
        </ul>
        {[hidden, shown, order].map(({ state, origin, question }, index) => (
          <Fragment key={stateIds[index]}>
            <div className="setting foot">
              <SavedMark state={state} />
              <SettingError id={stateIds[index] ?? ''} state={state} />
              <Origin origin={origin} />
            </div>
            {question}
          </Fragment>
        ))}
      </div>
      {isMovable ? <OrderKeys /> : null}
      <p className="sr-only" role="status">
        {list.news}
      </p>
    </>
  )
}

const stateIds = [
  'setting-sections_hidden-state',
  'setting-sections_shown-state',
  'setting-sections_order-state',
] as const

interface SectionRowProps {
  readonly section: Section
  readonly isOn: boolean
  /** Whether Firebase governs the value. */
  readonly isFixed: boolean
  readonly onTurn: (isOn: boolean) => void
  /** How it moves; absent where Firebase governs the order. */
  readonly move?: {
    readonly list: MovableList
    readonly index: number
    readonly refocus: (control: string) => void
    readonly onDrag: TakeRow
  }
}

function SectionRow({ section, isOn, isFixed, onTurn, move }: SectionRowProps) {
  const { entries, isRead } = useWholeList(section)
  const id = `section-${section.key}`
  const row = move && { ...move, id: section.key, name: section.title, all: sections.length }
  const isLifted = move?.list.lifted === section.key
  return (
    <li className={[!isOn && 'off', isLifted && 'lifted'].filter(Boolean).join(' ') || undefined}>
      {row ? <MoveHandle {...row} /> : null}
      <Icon name={section.icon} />
      <div>
        <b id={id}>{section.title}</b>
        <small id={`${id}-count`}>
          {[countWords(isRead ? entries.length : undefined, isOn), hiddenWords(section, entries)]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </div>
      {row ? <MoveArrows {...row} /> : null}
      <Switch
        isOn={isOn}
        onTurn={onTurn}
        aria-labelledby={id}
        aria-describedby={`${id}-count ${stateIds[section.startsOff ? 1 : 0]}`}
        disabled={isFixed}
      />
    </li>
  )
}

/** Leaves the number out while it is not known. */
function countWords(count: number | undefined, isOn: boolean): string {
  const number =
    count === undefined
      ? undefined
      : count === 1
        ? settingsTexts.entry
        : count === 0
          ? settingsTexts.noEntries
          : fill(settingsTexts.entries, { n: count })
  return [isOn ? undefined : settingsTexts.off, number].filter(Boolean).join(' · ')
}
