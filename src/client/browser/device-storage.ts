import { localMemory } from './early/web-storage.ts'

/* Small facts about this device, kept in local storage; where that is closed, for the page only. */
const prefix = 'tintero-'

/** Something was signed out here that the server has not heard of yet. */
export const leftName = 'left'

/** The fact kept under the name, or undefined. */
export function getStored(name: string): string | undefined {
  return localMemory.get(prefix + name)
}

/** Keeps a fact under the name. */
export function setStored(name: string, fact: string): void {
  localMemory.set(prefix + name, fact)
}
