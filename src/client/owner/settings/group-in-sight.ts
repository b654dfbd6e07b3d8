import { useEffect, useRef, useState } from 'react'

interface GroupInSight {
  readonly current: string
  /** Called with the group that is gone to from the index. */
  readonly ask: (id: string) => void
}

/** How far the page is scrolled, where it is that long, between the turns of two groups that end with it. */
const shortestTurn = 60

/** Which group is being read; of those that are too near the page's end to reach its top, what was asked for. */
export function useGroupInSight(first: string): GroupInSight {
  const [current, setCurrent] = useState(first)
  const asked = useRef<string | undefined>(first)
  useEffect(() => {
    let wasAtEnd = false
    const look = () => {
      const groups = [...document.querySelectorAll<HTMLElement>('.settings .group')]
      const end = document.documentElement.scrollHeight - innerHeight
      // A browser may round what it scrolls.
      const isAtEnd = scrollY >= end - 2
      if (wasAtEnd && !isAtEnd) asked.current = undefined
      wasAtEnd = isAtEnd
      const isOutOfReach = (group: HTMLElement) => startOf(group) > end
      const group =
        (isAtEnd && groups.find((one) => one.id === asked.current && isOutOfReach(one))) ||
        groups[turnAt(groups.map(startOf), { at: scrollY + 2, end })]
      if (group) setCurrent(group.id)
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
      asked.current = id
      // Where the page is at its end already nothing scrolls.
      setCurrent(id)
    },
  }
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
