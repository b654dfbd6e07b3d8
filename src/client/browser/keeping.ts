import { createStore } from '#client/ui/store.ts'

/** Whether this device keeps what the site gives it: as far as is known, or not, because storage is closed to us or full. */
export type Keeping = 'kept' | 'closed' | 'full'

/** The state as pages follow it. */
export const keeping = createStore<Keeping>('kept')

/** Notes that something could not be kept; it counts for as long as the page lives. */
export function noteNotKept(cause: unknown): void {
  const isFull = cause instanceof DOMException && cause.name === 'QuotaExceededError'
  keeping.set(isFull ? 'full' : 'closed')
}
