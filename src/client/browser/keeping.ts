import { createStore } from '#client/ui/store.ts'

/** Whether this device keeps what the site gives it; `kept` until a write fails because storage is closed or full. */
export type Keeping = 'kept' | 'closed' | 'full'

export const keeping = createStore<Keeping>('kept')

/** Counts for as long as the page lives. */
export function noteNotKept(cause: unknown): void {
  const isFull = cause instanceof DOMException && cause.name === 'QuotaExceededError'
  keeping.set(isFull ? 'full' : 'closed')
}
