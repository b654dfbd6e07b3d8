import { createStore, useStore } from '#client/ui/store.ts'

interface Asked {
  readonly operation?: string
}

const shown = createStore<Asked | undefined>(undefined)

/** Opens the queue, at this operation where one is named. */
export function openQueue(operation?: string): void {
  shown.set(operation === undefined ? {} : { operation })
}

/** Closes the queue. */
export function closeQueue(): void {
  shown.set(undefined)
}

/** Undefined while the list is closed. */
export function useOpenQueue(): Asked | undefined {
  return useStore(shown, undefined)
}
