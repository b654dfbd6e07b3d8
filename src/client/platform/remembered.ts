/** Small facts about this device, kept in local storage; where that is closed, for the page only. */
const memory = new Map<string, string>()
const prefix = 'tintero-'

/** The fact kept under the name, or undefined. */
export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(prefix + name) ?? memory.get(name)
  } catch {
    return memory.get(name) // Storage is closed to us.
  }
}

/** Keeps a fact under the name. */
export function remember(name: string, fact: string): void {
  memory.set(name, fact)
  try {
    localStorage.setItem(prefix + name, fact)
  } catch {
    // Storage is closed or full: the page remembers until it goes.
  }
}
