import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isFocusLost } from '#client/owner/inbox/reader-focus.ts'

/** Which group of the settings is being read: the last one whose title has passed the upper third of the window. */
export function useGroupInSight(first: string): string {
  const [inSight, setInSight] = useState(first)
  useEffect(() => {
    const look = () => {
      const groups = [...document.querySelectorAll<HTMLElement>('.settings .group')]
      const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
      const passed = groups.filter((group) => group.getBoundingClientRect().top < innerHeight / 3)
      // The last group is short: nothing of it would ever reach the upper third.
      const current = isAtEnd && scrollY > 0 ? groups.at(-1) : (passed.at(-1) ?? groups[0])
      if (current) setInSight(current.id)
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  return inSight
}

/** Where the focus goes on a phone, where a group takes the place of the index: to its title, and back to its line. */
export function useGroupFocus(open: string | undefined): void {
  const before = useRef(open)
  useLayoutEffect(() => {
    const left = before.current
    before.current = open
    if (open === left || !isFocusLost()) return
    const selector = open ? `#${open}-title` : `.settings-nav a[href="#${left ?? ''}"]`
    document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: open !== undefined })
    if (open) scrollTo(0, 0)
  }, [open])
}
