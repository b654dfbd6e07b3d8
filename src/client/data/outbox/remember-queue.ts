import { useSyncExternalStore } from 'react'
import { recall, remember } from '#client/platform/remembered.ts'

const name = 'queue'
const listeners = new Set<() => void>()

/** Notes that something is queued, so that the next page opens the queue without asking the database first. */
export function rememberQueue(isFilled: boolean): void {
  if (isQueueFilled() === isFilled) return
  remember(name, isFilled ? '1' : '')
  for (const listener of listeners) listener()
}

/** Whether an earlier page left something in the queue. */
export function isQueueFilled(): boolean {
  return recall(name) === '1'
}

/** The same as React state; server and hydration always see nothing queued. */
export function useIsQueueFilled(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isQueueFilled,
    () => false,
  )
}
