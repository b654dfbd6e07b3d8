import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent as ReactKeyboardEvent,
} from 'react'
import { fill } from '#contract/text.ts'
import { orderTexts } from '#contract/texts/order.ts'
import { IconButton } from '#client/ui/button.tsx'
import type { Symbols } from '#client/ui/icon.tsx'

/** Lucide outlines (ISC). */
export const orderSymbols: Symbols = {
  grip: 'M9 5h.01M9 12h.01M9 19h.01M15 5h.01M15 12h.01M15 19h.01',
  up: 'm18 15-6-6-6 6',
  down: 'm6 9 6 6 6-6',
}

/** The prefix of a handle's id. */
const handle = 'move'

export interface MovableList {
  readonly lifted: string | undefined
  readonly lift: (id: string | undefined) => void
  /** Whether Escape would restore an order here; otherwise the key is not handled. */
  readonly isRestorable: boolean
  readonly restore: () => void
  /** Counts the place from 0, in the list as it is read. */
  readonly moveTo: (id: string, place: number) => void
  readonly moveBy: (id: string, by: number) => void
}

interface MovableRow {
  readonly list: MovableList
  readonly id: string
  readonly name: string
  /** Counted from 0. */
  readonly index: number
  readonly all: number
  /** Takes the id of the control that keeps the focus when its row moves. */
  readonly refocus: (control: string) => void
}

/** Leaves the focus on the control that moved the row; does nothing at an end of the list. */
function moveFrom(
  { list, id, index, all, refocus }: MovableRow,
  control: string,
  by: number,
): void {
  if (index + by < 0 || index + by >= all) return
  refocus(`${control}-${id}`)
  list.moveBy(id, by)
}

/** The pointer drags a taken row; the keyboard takes and moves it. */
export function MoveHandle({ onDrag, ...row }: MovableRow & { readonly onDrag: TakeRow }) {
  const { list, id, name, index, all } = row
  const isLifted = list.lifted === id
  const byKey = (event: ReactKeyboardEvent) => {
    if (event.key === ' ') list.lift(isLifted ? undefined : id)
    else if (isLifted && event.key === 'ArrowUp') moveFrom(row, handle, -1)
    else if (isLifted && event.key === 'ArrowDown') moveFrom(row, handle, 1)
    else return
    event.preventDefault()
  }
  return (
    <IconButton
      id={`${handle}-${id}`}
      className="handle"
      icon="grip"
      label={fill(orderTexts.move, { name, n: index + 1, all })}
      aria-pressed={isLifted}
      onKeyDown={byKey}
      onPointerDown={({ button, clientY }) => {
        if (button === 0) onDrag(id, clientY)
      }}
    />
  )
}

/** At an end of the list the arrow stays in place, so that the focus can. */
export function MoveArrows(row: MovableRow) {
  const { id, name, index, all } = row
  return (
    <span className="updown">
      <IconButton
        id={`up-${id}`}
        icon="up"
        label={fill(orderTexts.up, { name })}
        title={orderTexts.upward}
        aria-disabled={index === 0}
        onClick={() => moveFrom(row, 'up', -1)}
      />
      <IconButton
        id={`down-${id}`}
        icon="down"
        label={fill(orderTexts.down, { name })}
        title={orderTexts.downward}
        aria-disabled={index === all - 1}
        onClick={() => moveFrom(row, 'down', 1)}
      />
    </span>
  )
}

export function OrderKeys() {
  return (
    <p className="order-keys">
      {orderTexts.keys.map((word, index) =>
        [0, 2, 3, 5].includes(index) ? (
          <kbd key={word}>{word}</kbd>
        ) : (
          <span key={word}> {word} </span>
        ),
      )}
    </p>
  )
}

/** Begins to drag a row, at the height at which the pointer took it. */
export type TakeRow = (id: string, y: number) => void

interface Drag {
  readonly id: string
  /** The height at which the pointer took the row. */
  readonly from: number
}

/**
 * Returns how to take a row. It listens to the window and not to the handle, since a row that changes its place in the
 * document loses its pointer. Held near an edge of what is seen, the row has the page scroll.
 */
export function useDragging(list: MovableList): TakeRow {
  const [drag, setDrag] = useState<Drag>()
  const follow = useEffectEvent((y: number, elapsed: number) => {
    // Escape lets the row go while the pointer still holds it.
    if (!drag || list.lifted !== drag.id) return
    const top = scrollFor(drag, y, elapsed)
    if (top !== 0) scrollBy({ top, behavior: 'instant' })
    list.moveTo(drag.id, placeAt(drag.id, y))
  })
  const drop = useEffectEvent(() => {
    setDrag(undefined)
    if (list.lifted === drag?.id) list.lift(undefined)
  })
  useEffect(() => {
    if (!drag) return undefined
    let y = drag.from
    let before = performance.now()
    let frame = requestAnimationFrame(scroll)
    function scroll(now: number) {
      follow(y, now - before)
      before = now
      frame = requestAnimationFrame(scroll)
    }
    const move = ({ clientY }: PointerEvent) => {
      y = clientY
      follow(y, 0)
    }
    const end = () => drop()
    addEventListener('pointermove', move)
    addEventListener('pointerup', end)
    addEventListener('pointercancel', end)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', end)
      removeEventListener('pointercancel', end)
    }
  }, [drag])
  return (id, from) => {
    list.lift(id)
    setDrag({ id, from })
  }
}

/** Escape restores the order; a row taken by key is let go when the owner goes on elsewhere. */
export function useLettingGo(list: MovableList): void {
  useEffect(() => {
    const restore = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !list.isRestorable) return
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

/** Gives the focus back to a control whose row has just moved in the document; returns how a control asks for it. */
export function useFocusReturn(rows: readonly unknown[]): (control: string) => void {
  const wanted = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (wanted.current !== undefined) document.getElementById(wanted.current)?.focus()
    wanted.current = undefined
  }, [rows])
  return (control) => void (wanted.current = control)
}

const rowOf = (id: string) => document.getElementById(`${handle}-${id}`)?.closest('li')

/** Counts the other rows whose middle is above this height. */
function placeAt(id: string, y: number): number {
  const own = rowOf(id)
  const others = [...(own?.parentElement?.children ?? [])].filter((row) => row !== own)
  return others.filter((row) => {
    const { top, height } = row.getBoundingClientRect()
    return top + height / 2 < y
  }).length
}

/** How near to an edge a row has the page scroll, and how many pixels a second it goes at the edge itself. */
const zone = 64
const fastest = 960

/**
 * How far the page scrolls for a row that is held at this height: the faster the nearer to the edge, and no further than
 * to the list's end. A row that lay near an edge when it was taken is first moved towards it.
 */
function scrollFor({ id, from }: Drag, y: number, elapsed: number): number {
  const list = rowOf(id)?.parentElement?.getBoundingClientRect()
  if (!list || y === from) return 0
  // After a frame that took long the page would leap.
  const most = (fastest * Math.min(elapsed, 50)) / 1000
  const step = (depth: number, rest: number) =>
    Math.max(0, Math.ceil(Math.min(most * Math.min(depth / zone, 1), rest)))
  const { top, bottom } = uncovered()
  return y < from
    ? -step(top + zone - y, top - list.top)
    : step(y - bottom + zone, list.bottom - bottom)
}

const boxesOf = (bars: string) =>
  [...document.querySelectorAll(bars)]
    .filter((bar) => bar.checkVisibility())
    .map((bar) => bar.getBoundingClientRect())

/** Between which heights of the window no bar covers the page. */
function uncovered(): { readonly top: number; readonly bottom: number } {
  return {
    top: Math.max(0, ...boxesOf('.site-top').map(({ bottom }) => bottom)),
    bottom: Math.min(innerHeight, ...boxesOf('.applybar, .tabs').map(({ top }) => top)),
  }
}
