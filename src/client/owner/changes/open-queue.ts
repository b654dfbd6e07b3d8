import { createStore, useStore } from '#client/ui/store.ts'

interface Asked {
  readonly operation?: string
}

const shown = createStore<Asked | undefined>(undefined)

/** Opens the list of pending changes, at one of them when it is named. */
export function openQueue(operation?: string): void {
  shown.set(operation === undefined ? {} : { operation })
}

export function closeQueue(): void {
  shown.set(undefined)
}

/** What the list of pending changes is to show; undefined while it is closed. */
export function useOpenQueue(): Asked | undefined {
  return useStore(shown, undefined)
}
