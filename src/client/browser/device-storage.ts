import { localMemory } from './early/web-storage.ts'

/* Small facts about this device, kept in local storage; where that is closed, they last as long as the page. */
const prefix = 'tintero-'

/** Set while a sign-out on this device has not reached the server. */
export const leftName = 'left'

/** One fact that this device remembers beyond the session; undefined where it does not. */
export function getStored(name: string): string | undefined {
  return localMemory.get(prefix + name)
}

/** Remembers one fact on this device beyond the session. */
export function setStored(name: string, fact: string): void {
  localMemory.set(prefix + name, fact)
}

/** Forgets one fact. */
export function dropStored(name: string): void {
  localMemory.remove(prefix + name)
}
