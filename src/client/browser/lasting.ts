import { storageManager } from './closable.ts'

let asked: Promise<void> | undefined
let isGranted: boolean | undefined

/**
 * Asks the browser, once in a page's life, not to throw away what this device keeps when it is short of room. To be called in
 * what a person does: some browsers ask them.
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

/** Whether the browser was asked and said no. */
export function mayBeCleared(): boolean {
  return isGranted === false
}
