import { useEffect, useEffectEvent, type RefObject } from 'react'

/** Stands still while the pointer or focus is inside or the tab is hidden. */
export function useCountdown(
  box: RefObject<HTMLElement | null>,
  durationMs: number,
  onEnd: () => void,
): void {
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    return countDown(element, durationMs, () => end())
  }, [box, durationMs])
}

/** What keeps the time standing still. */
type HoldReason = 'pointer' | 'focus' | 'tab'

function countDown(element: HTMLElement, durationMs: number, onEnd: () => void): () => void {
  const holds = new Set<HoldReason>()
  const listening = new AbortController()
  const { signal } = listening
  let leftMs = durationMs
  let startedAt = performance.now()
  let timer = setTimeout(onEnd, leftMs)

  const hold = (reason: HoldReason) => {
    if (holds.size === 0) {
      clearTimeout(timer)
      leftMs -= performance.now() - startedAt
    }
    holds.add(reason)
  }
  const release = (reason: HoldReason) => {
    if (!holds.delete(reason) || holds.size > 0) return
    startedAt = performance.now()
    timer = setTimeout(onEnd, Math.max(0, leftMs))
  }

  element.addEventListener('pointerenter', () => hold('pointer'), { signal })
  element.addEventListener('pointerleave', () => release('pointer'), { signal })
  element.addEventListener('focusin', () => hold('focus'), { signal })
  element.addEventListener('focusout', () => release('focus'), { signal })
  const onVisibility = () => (document.hidden ? hold('tab') : release('tab'))
  document.addEventListener('visibilitychange', onVisibility, { signal })
  if (document.hidden) hold('tab')
  if (element.contains(document.activeElement)) hold('focus')
  return () => {
    clearTimeout(timer)
    listening.abort()
  }
}
