import { createStore, useStore } from '#client/ui/store.ts'

/** The size of this device's queue, for pages that do without the queue's own code. */
interface QueueNote {
  readonly changes: number
  readonly messages: number
}

const nothing: QueueNote = { changes: 0, messages: 0 }
const store = createStore(nothing)

/** Tells the page how much waits in the queue. */
export function noteQueue(next: QueueNote): void {
  const note = store.get()
  if (note.changes === next.changes && note.messages === next.messages) return
  store.set(next)
}

/** Whether anything on this device waits to be sent. */
export function isQueueFilled(): boolean {
  const { changes, messages } = store.get()
  return changes + messages > 0
}

/** Server and hydration always see an empty queue. */
export function useQueueNote(): QueueNote {
  return useStore(store, nothing)
}
