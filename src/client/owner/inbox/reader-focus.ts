import { useLayoutEffect, useRef } from 'react'

const find = (selector: string) => document.querySelector<HTMLElement>(selector)

/**
 * Where the focus goes when a message takes the place of the list, and back: on phones to the message's title and to its
 * line in the list; on wide screens it stays where it is.
 */
export function useReaderFocus(opened: string | undefined): void {
  const before = useRef(opened)
  useLayoutEffect(() => {
    const left = before.current
    before.current = opened
    if (opened === left || !isFocusLost()) return
    if (opened === undefined) find(`[data-message="${CSS.escape(left ?? '')}"]`)?.focus()
    else find('.msg-reader h2')?.focus()
  }, [opened])
}

/** Keeps the focus in the list when a message has left it: at the one in its place, else at the page's title. */
export function focusMessage(index: number): void {
  if (!isFocusLost()) return
  const left = [...document.querySelectorAll<HTMLElement>('.msg-list a')]
  const next = left[index] ?? left.at(-1) ?? find('h1')
  next?.focus()
}

/** Whether what had the focus has gone or is out of sight. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return !activeElement || activeElement === document.body || !activeElement.checkVisibility()
}
