const last = new Map<string, Promise<unknown>>()

/**
 * Runs one task of a name after the other, over all pages of the browser. Pages without https have no locks: there the
 * turns are this page's alone.
 */
export function inTurn<T>(name: string, task: () => Promise<T>): Promise<T> {
  if ('locks' in navigator) return navigator.locks.request(name, task)
  const turn = (last.get(name) ?? Promise.resolve()).then(task, task)
  last.set(name, turn)
  return turn
}
