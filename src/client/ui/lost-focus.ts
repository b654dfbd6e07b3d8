import { useLayoutEffect, useRef, type RefObject } from 'react'

/** Whether the focused element is gone or out of sight. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return !activeElement || activeElement === document.body || !activeElement.checkVisibility()
}

/** Moves the focus to the page's heading, where what had it before is gone. */
export function focusPage(): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}

interface RowFocus<Box extends HTMLElement> {
  readonly ref: RefObject<Box | null>
  readonly onFocus: () => void
  readonly onBlur: () => void
}

interface Focused {
  readonly element: Element
  readonly row: Element
  readonly place: number
  /** The heading of the part of the page that the list is in. */
  readonly title: HTMLElement | null
}

/**
 * What a list takes so that the focus goes on when what had it goes: to the list itself where that can have it, else to
 * the first button of the row, or of the row that is in its place, or of the last one; where there is none, to the title
 * above. Whoever draws the rows calls it, since the list may go with the last of them.
 */
export function useRowFocus<Box extends HTMLElement>(): RowFocus<Box> {
  const ref = useRef<Box>(null)
  const last = useRef<Focused>(undefined)
  const note = () => {
    const { activeElement: element } = document
    const box = ref.current
    const rows = [...(box?.children ?? [])]
    const row = element && rows.find((one) => one.contains(element))
    last.current =
      box && row ? { element, row, place: rows.indexOf(row), title: titleOf(box) } : undefined
  }
  useLayoutEffect(() => {
    const { element, row, place = 0, title } = last.current ?? {}
    if (element?.isConnected === false && isFocusLost()) {
      const box = ref.current
      const rows = [...(box?.children ?? [])]
      const next = row?.isConnected ? row : (rows[place] ?? rows.at(-1))
      const button = next?.querySelector<HTMLElement>('button')
      ;(box?.hasAttribute('tabindex') ? box : (button ?? title))?.focus()
    }
    note()
  })
  return { ref, onFocus: note, onBlur: note }
}

/** The ref of a button that goes with its press: the focus goes on to the title above it. */
export function focusTitleAfter(button: HTMLElement | null): () => void {
  const title = button && titleOf(button)
  return () => {
    if (button === document.activeElement) title?.focus({ preventScroll: true })
  }
}

function titleOf(box: HTMLElement): HTMLElement | null {
  const id = box.closest('section, dialog')?.getAttribute('aria-labelledby')
  const title = id ? document.getElementById(id) : document.querySelector<HTMLElement>('main h1')
  title?.setAttribute('tabindex', '-1')
  return title
}
