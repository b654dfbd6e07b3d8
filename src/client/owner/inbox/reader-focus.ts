import { useLayoutEffect, useRef } from 'react'
import { focusHeading } from '#client/browser/focus-after-navigation.ts'
import { isFocusLost } from '#client/ui/lost-focus.ts'

const find = (selector: string) => document.querySelector<HTMLElement>(selector)

/** On phones the focus moves to the message's title, and back to its line in the list; on wide screens it stays. */
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

/** For when a message has left the list: focuses the one in its place, else the page's title. */
export function focusMessage(index: number): void {
  if (!isFocusLost()) return
  const left = [...document.querySelectorAll<HTMLElement>('.msg-list a')]
  const next = left[index] ?? left.at(-1)
  if (next) next.focus()
  else focusHeading()
}
