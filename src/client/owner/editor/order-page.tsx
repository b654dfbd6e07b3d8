import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent as ReactKeyboardEvent,
} from 'react'
import { isHidden } from '#contract/hidden.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { hiddenTexts } from '#contract/texts-hidden.ts'
import { orderTexts } from '#contract/texts-order.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { useEntries } from '#client/data/overlay.ts'
import { entriesQuery } from '#client/data/queries.ts'
import { whileBusy } from '#client/data/unsaved.ts'
import { tellKept } from '#client/owner/changes/change-notices.ts'
import { orderEntries, submitChange } from '#client/owner/changes/submit-change.ts'
import { countOf } from '#client/site/list-page.tsx'
import { EntryThumb } from '#client/site/entry-thumb.tsx'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Sprite, type Symbols } from '#client/ui/icon.tsx'
import { notify } from '#client/ui/notices.ts'
import { hiddenCount, inGenderOf } from './hidden-words.ts'
import { useOrder } from './use-order.ts'

/** Lucide outlines (ISC). */
const orderSymbols: Symbols = {
  grip: 'M9 5h.01M9 12h.01M9 19h.01M15 5h.01M15 12h.01M15 19h.01',
  up: 'm18 15-6-6-6 6',
  down: 'm6 9 6 6 6-6',
}

const none: readonly Entry[] = []
/** Begins the id of a row's handle. */
const handle = 'move'

interface OrderPageProps {
  readonly section: Section
  readonly onDone: () => void
}

/** A section's list as rows that are put in another order: by the handle, the keyboard, or a press on an arrow. */
export function OrderPage({ section, onDone }: OrderPageProps) {
  const queryClient = useQueryClient()
  const { data } = useQuery(entriesQuery(section))
  const list = useOrder(section, useEntries(section.key, data ?? none, true))
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const dragging = useDragging(list)
  const hold = useFocusHeld(list.rows)
  useLettingGo(list)

  const save = async () => {
    onDone()
    if (!list.isChanged) return
    const result = await submitChange(orderEntries(section, list.asked), { queryClient })
    if (result.state === 'queued') void tellKept(result, orderTexts.failed)
    else if (result.state === 'refused') void notify('error-snackbar', orderTexts.failed)
    else void notify('success-snackbar', orderTexts.saved)
  }
  return (
    <>
      <Sprite symbols={orderSymbols} />
      <header className="page-head">
        <h1 ref={title} className="caret" tabIndex={-1}>
          {orderTexts.sort}
        </h1>
        <p>{hiddenCount(section, list.rows) ?? countOf(section, list.rows.length)}</p>
      </header>
      <ol className="card rows order-list" aria-label={orderTexts.list}>
        {list.rows.map((entry, index) => (
          <OrderRow key={entry.id} {...{ section, entry, index, list, hold }} onDrag={dragging} />
        ))}
      </ol>
      <p className="order-keys">
        {orderTexts.keys.map((word, index) =>
          [0, 2, 3, 5].includes(index) ? (
            <kbd key={word}>{word}</kbd>
          ) : (
            <span key={word}> {word} </span>
          ),
        )}
      </p>
      <p className="sr-only" role="status">
        {list.news}
      </p>
      <div className="applybar" role="region" aria-label={orderTexts.region}>
        <p>
          <b>{list.summary}</b>
          {orderTexts.hint}
        </p>
        <Button tone="ghost" onClick={onDone}>
          {ownerTexts.cancel}
        </Button>
        <Button onClick={() => void whileBusy(save)}>{orderTexts.save}</Button>
      </div>
    </>
  )
}

interface OrderRowProps {
  readonly section: Section
  readonly entry: Entry
  readonly index: number
  readonly list: ReturnType<typeof useOrder>
  /** Takes the id of the control that keeps the focus when its row moves. */
  readonly hold: (control: string) => void
  readonly onDrag: (id: string) => void
}

function OrderRow({ section, entry, index, list, hold, onDrag }: OrderRowProps) {
  const { id, fields } = entry
  const { display } = section
  const name = fields[display.title] ?? ''
  const facts = [
    display.kind === 'card' && fields[display.fact.field],
    isHidden(entry) && inGenderOf(section, hiddenTexts.badge),
  ].filter(Boolean)
  const all = list.rows.length
  const isLifted = list.lifted === id
  const move = (control: string, by: number) => {
    hold(`${control}-${id}`)
    list.moveBy(id, by)
  }
  const byKey = (event: ReactKeyboardEvent) => {
    if (event.key === ' ') list.lift(isLifted ? undefined : id)
    else if (isLifted && event.key === 'ArrowUp') move(handle, -1)
    else if (isLifted && event.key === 'ArrowDown') move(handle, 1)
    else return
    event.preventDefault()
  }
  return (
    <li className={isLifted ? 'lifted' : undefined}>
      <IconButton
        id={`${handle}-${id}`}
        className="handle"
        icon="grip"
        label={fill(orderTexts.move, { name, n: index + 1, all })}
        aria-pressed={isLifted}
        onKeyDown={byKey}
        onPointerDown={({ button }) => {
          if (button === 0) onDrag(id)
        }}
      />
      <EntryThumb section={section} entry={entry} size={44} />
      <div>
        <b>{name}</b>
        {facts.length > 0 && <small>{facts.join(' · ')}</small>}
      </div>
      <span className="updown">
        <IconButton
          id={`up-${id}`}
          icon="up"
          label={fill(orderTexts.up, { name })}
          title={orderTexts.upward}
          aria-disabled={index === 0}
          onClick={() => move('up', -1)}
        />
        <IconButton
          id={`down-${id}`}
          icon="down"
          label={fill(orderTexts.down, { name })}
          title={orderTexts.downward}
          aria-disabled={index === all - 1}
          onClick={() => move('down', 1)}
        />
      </span>
    </li>
  )
}

/**
 * Follows the pointer that took a row; returns how a row is taken. The window is listened to and not the handle, since a row
 * that changes its place in the document loses its pointer.
 */
function useDragging(list: ReturnType<typeof useOrder>): (id: string) => void {
  const [id, setId] = useState<string>()
  useEffect(() => {
    if (id === undefined) return undefined
    const follow = ({ clientY }: PointerEvent) => list.moveTo(id, placeAt(id, clientY))
    const drop = () => {
      setId(undefined)
      list.lift(undefined)
    }
    addEventListener('pointermove', follow)
    addEventListener('pointerup', drop)
    addEventListener('pointercancel', drop)
    return () => {
      removeEventListener('pointermove', follow)
      removeEventListener('pointerup', drop)
      removeEventListener('pointercancel', drop)
    }
  })
  return (taken) => {
    list.lift(taken)
    setId(taken)
  }
}

/** Escape puts everything back, and what was taken by key is let go where she goes on elsewhere. */
function useLettingGo(list: ReturnType<typeof useOrder>): void {
  useEffect(() => {
    const restore = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      list.restore()
    }
    const letGo = ({ target }: FocusEvent) => {
      const isOutside = target instanceof Element && !target.closest('.lifted')
      if (list.lifted !== undefined && isOutside) list.lift(undefined)
    }
    document.addEventListener('keydown', restore)
    document.addEventListener('focusin', letGo)
    return () => {
      document.removeEventListener('keydown', restore)
      document.removeEventListener('focusin', letGo)
    }
  })
}

/** Gives the focus back to a control whose row has just changed its place in the document; returns how one asks for it. */
function useFocusHeld(rows: readonly Entry[]): (control: string) => void {
  const held = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (held.current !== undefined) document.getElementById(held.current)?.focus()
    held.current = undefined
  }, [rows])
  return (control) => void (held.current = control)
}

/** The place of the row that is at this height: so many others have their middle above it. */
function placeAt(id: string, y: number): number {
  const own = document.getElementById(`${handle}-${id}`)?.closest('li')
  const others = [...(own?.parentElement?.children ?? [])].filter((row) => row !== own)
  return others.filter((row) => {
    const { top, height } = row.getBoundingClientRect()
    return top + height / 2 < y
  }).length
}
