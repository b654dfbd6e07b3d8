import { useEffect, useRef, useState } from 'react'

interface GroupInSight {
  readonly current: string
  /** Called with the group that is gone to from the index. */
  readonly ask: (id: string) => void
}

/** How far the page is scrolled, where it is that long, between the turns of two groups that end with it. */
const shortestTurn = 60
/** A browser may round what it scrolls. */
const roundedBy = 2

/**
 * Which group is being read: the one that was gone to, `open` at first, for as long as the page stands where that has brought
 * it, however short it is; then whichever is scrolled to.
 */
export function useGroupInSight(first: string, open: string | undefined): GroupInSight {
  const [current, setCurrent] = useState(open ?? first)
  const asked = useRef({ id: open, isThere: false })
  useEffect(() => {
    const look = () => {
      const groups = [...document.querySelectorAll<HTMLElement>('.settings .group')]
      const { id, isThere: wasThere } = asked.current
      const isThere = groups.some((group) => group.id === id && isGoneTo(group))
      asked.current = { id: wasThere && !isThere ? undefined : id, isThere }
      const group =
        groups[turnAt(groups.map(startOf), { at: scrollY + roundedBy, end: endOfPage() })]
      if (isThere && id !== undefined) setCurrent(id)
      else if (group) setCurrent(group.id)
    }
    look()
    addEventListener('scroll', look, { passive: true })
    // What was a group alone is the whole page in a wider window.
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [])
  return {
    current,
    ask: (id) => {
      const group = document.getElementById(id)
      // Where the page is at its end already nothing scrolls.
      asked.current = { id, isThere: group !== null && isGoneTo(group) }
      setCurrent(id)
    },
  }
}

const endOfPage = () => document.documentElement.scrollHeight - innerHeight

/** Whether the page stands where going to a group brings it: at its top or, where that is too far down, at the page's end. */
function isGoneTo(group: HTMLElement): boolean {
  const { scrollPaddingTop } = getComputedStyle(document.documentElement)
  const { scrollMarginTop } = getComputedStyle(group)
  const below =
    group.getBoundingClientRect().top - parseFloat(scrollPaddingTop) - parseFloat(scrollMarginTop)
  const isAtEnd = scrollY >= endOfPage() - roundedBy
  return Math.abs(below) <= roundedBy || (isAtEnd && below > 0)
}

/** Where the page is scrolled to when the title passes the upper third of the window. */
function startOf(group: HTMLElement): number {
  return scrollY + group.getBoundingClientRect().top - innerHeight / 3
}

/** The last group whose turn has come. Those that never reach the upper third share the way before the page's end. */
function turnAt(starts: readonly number[], page: { at: number; end: number }): number {
  const last = starts.length - 1
  const way = Math.min(shortestTurn, page.end / last)
  const turns = starts.map((start, index) => Math.min(start, page.end - (last - index) * way))
  if (page.end <= 0) return 0
  const turn = turns.findLastIndex((one) => one <= page.at)
  return Math.max(0, turn)
}
