import { ownersPartsKept, type ToWorker } from '#contract/offline/offline.ts'
import { serviceWorkers } from '#client/browser/closable.ts'
import { getSession, isAdmin } from '#client/data/session.ts'
import { createStore, useStore } from '#client/ui/store.ts'

const areKept = createStore(false)

/**
 * Has the worker keep the owner's parts of the application once she is signed in; no visitor's device gets them. What could
 * not be had now is asked for again with the next call.
 */
export function askForOwnersParts(): void {
  const worker = serviceWorkers()?.controller
  if (areKept.get() || !worker || !isAdmin(getSession())) return
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', ({ data }) => areKept.set(data === ownersPartsKept))
  port1.start()
  const message: ToWorker = { type: 'KEEP_OWNERS_PARTS' }
  worker.postMessage(message, [port2])
}

/** Whether this device has all that the owner needs to edit without a connection, as React state. */
export const useOwnersPartsKept = () => useStore(areKept, false)
