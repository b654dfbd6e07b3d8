import { useSyncExternalStore } from 'react'
import { ownersPartsKept, type ToWorker } from '#contract/offline/offline.ts'
import { serviceWorkers } from '#client/browser/closable.ts'
import { getSession, isAdmin } from '#client/data/session.ts'

const listeners = new Set<() => void>()
let areKept = false

/**
 * Has the worker keep the owner's parts of the application once she is signed in; no visitor's device gets them. What could
 * not be had now is asked for again with the next call.
 */
export function keepOwnersParts(): void {
  const worker = serviceWorkers()?.controller
  if (areKept || !worker || !isAdmin(getSession())) return
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', ({ data }) => {
    areKept = data === ownersPartsKept
    for (const listener of listeners) listener()
  })
  port1.start()
  const message: ToWorker = { type: 'KEEP_OWNERS_PARTS' }
  worker.postMessage(message, [port2])
}

/** Whether this device has all that the owner needs to edit without a connection, as React state. */
export function useOwnersPartsKept(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => areKept,
    () => false,
  )
}
