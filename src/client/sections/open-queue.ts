import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let shown: { readonly operation?: string } | undefined

/** Opens the list of pending changes, at one of them when it is named. */
export function openQueue(operation?: string): void {
  set(operation === undefined ? {} : { operation })
}

export function closeQueue(): void {
  set(undefined)
}

/** What the list of pending changes is to show; undefined while it is closed. */
export function useOpenQueue(): { readonly operation?: string } | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => shown,
    () => undefined,
  )
}

function set(next: typeof shown): void {
  shown = next
  for (const listener of listeners) listener()
}
