import { storageManager } from './closable.ts'

let asked: Promise<void> | undefined
let isGranted: boolean | undefined

/**
 * Asks the browser, once in a page's life, not to delete what this device keeps when space is short. Call it from a
 * press: some browsers ask the person.
 */
export function askToLast(): Promise<void> {
  asked ??= ask()
  return asked
}

async function ask(): Promise<void> {
  try {
    isGranted = await storageManager()?.persist()
  } catch {
    isGranted = false // Storage is closed to us.
  }
}

/** True once the browser was asked and said no. */
export function mayBeCleared(): boolean {
  return isGranted === false
}
