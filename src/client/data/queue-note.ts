import { createStore, useStore } from '#client/ui/store.ts'

/** How much waits on this device, for pages that do without the queue's own code. */
interface QueueNote {
  /** Changes of the owner's. */
  readonly changes: number
  /** Messages of visitors. */
  readonly messages: number
}

const nothing: QueueNote = { changes: 0, messages: 0 }
const store = createStore(nothing)

/** Notes how much is queued, once the queue has been looked at. */
export function noteQueue(next: QueueNote): void {
  const note = store.get()
  if (note.changes === next.changes && note.messages === next.messages) return
  store.set(next)
}

/** Whether this page knows of something that is queued. */
export function isQueueFilled(): boolean {
  const { changes, messages } = store.get()
  return changes + messages > 0
}

/** How much is queued on this device, as React state; server and hydration always see nothing. */
export function useQueueNote(): QueueNote {
  return useStore(store, nothing)
}
