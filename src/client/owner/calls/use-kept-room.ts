import { useEffect, useRef, type CSSProperties, type RefObject } from 'react'
import { getStored, setStored } from '#client/browser/device-storage.ts'

interface KeptRoom {
  /** What stands in the room is told apart by this name. */
  readonly name: string
  /** Whether what belongs there has been read. */
  readonly isRead: boolean
}

interface Room {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly style: CSSProperties
}

/**
 * Keeps the room that something had when this device last read it on a screen as wide, so that nothing under it moves when
 * it comes. The device keeps heights alone, nothing of what was read.
 */
export function useKeptRoom({ name, isRead }: KeptRoom): Room {
  const ref = useRef<HTMLDivElement>(null)
  const fact = `room-${name}`
  useEffect(() => {
    if (!isRead || !ref.current) return
    const room = `${pageWidth()} ${ref.current.getBoundingClientRect().height}`
    if (getStored(fact) !== room) setStored(fact, room)
  })
  const [width, height] = isRead ? [] : (getStored(fact)?.split(' ').map(Number) ?? [])
  // As high as what stands in it with its margins.
  const display = 'flow-root'
  return { ref, style: width === pageWidth() ? { display, minHeight: height } : { display } }
}

const pageWidth = () => document.documentElement.clientWidth
