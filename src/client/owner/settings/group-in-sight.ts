import { useEffect, useRef, useState } from 'react'

interface GroupInSight {
  /** Undefined where the index stands alone, as on a phone. */
  readonly current: string | undefined
  /** Called with the group that is gone to from the index, which may be the one of the address already. */
  readonly ask: (id: string) => void
}

/** How far the page is scrolled, where it is that long, between the turns of two groups that end with it. */
const shortestTurn = 60
/** A browser may round what it scrolls. */
const roundedBy = 2
/** What a person scrolls with; the browser scrolls by itself to an address, and back to where a page was left. */
const hands = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/**
 * Which group is being read: the one that was gone to, `open` at first, for as long as the page stands where that has brought
 * it, however short it is; then whichever is scrolled to.
 */
export function useGroupInSight(first: string, open: string | undefined): GroupInSight {
  const [current, setCurrent] = useState<string | undefined>(open ?? first)
  const asked = useRef<Asked>({ id: open, isThere: false })
  const before = useRef(open)
  useEffect(() => {
    const look = () => {
      const groups = [...document.querySelectorAll<HTMLElement>('.settings .group')]
      if (!groups.some((group) => group.checkVisibility())) return setCurrent(undefined)
      const { id, isThere: wasThere } = asked.current
      const isThere = groups.some((group) => group.id === id && isGoneTo(group))
      asked.current = { id: wasThere && !isThere ? undefined : id, isThere }
      const group =
        groups[turnAt(groups.map(startOf), { at: scrollY + roundedBy, end: endOfPage() })]
      if (isThere && id !== undefined) setCurrent(id)
      else if (group) setCurrent(group.id)
    }
    // Where the browser went elsewhere instead, what was asked for is not what is scrolled to later.
    const forget = () => {
      if (!asked.current.isThere) asked.current = { id: undefined, isThere: false }
    }
    // An address is also gone to by Back, and by a link of another group; the page scrolls after that.
    if (open !== undefined && open !== before.current) {
      asked.current = askedNow(open)
      setCurrent(open)
    } else look()
    before.current = open
    addEventListener('scroll', look, { passive: true })
    // What was a group alone is the whole page in a wider window.
    addEventListener('resize', look)
    for (const hand of hands) addEventListener(hand, forget, { passive: true })
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
      for (const hand of hands) removeEventListener(hand, forget)
    }
  }, [open])
  return {
    current,
    ask: (id) => {
      asked.current = askedNow(id)
      setCurrent(id)
    },
  }
}

interface Asked {
  readonly id: string | undefined
  readonly isThere: boolean
}

function askedNow(id: string): Asked {
  const group = document.getElementById(id)
  // Where the page is at its end already nothing scrolls.
  return { id, isThere: group !== null && isGoneTo(group) }
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
