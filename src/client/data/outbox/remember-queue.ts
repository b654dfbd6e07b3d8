import { recall, remember } from '#client/platform/remembered.ts'

const name = 'queue'

/** Notes that something is queued, so that the next page opens the queue without asking the database first. */
export function rememberQueue(isFilled: boolean): void {
  if (isQueueFilled() !== isFilled) remember(name, isFilled ? '1' : '')
}

/** Whether an earlier page left something in the queue. */
export function isQueueFilled(): boolean {
  return recall(name) === '1'
}
