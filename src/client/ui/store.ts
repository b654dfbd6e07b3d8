import { useSyncExternalStore } from 'react'

interface Followed<T> {
  readonly get: () => T
  /** Calls back after every change; returns how to stop. */
  readonly subscribe: (listener: () => void) => () => void
}

export interface Store<T> extends Followed<T> {
  readonly set: (next: T) => void
}

/** `onFollowed` is called when the first listener comes. */
export function createStore<T>(first: T, onFollowed?: () => void): Store<T> {
  const listeners = new Set<() => void>()
  let value = first
  return {
    get: () => value,
    set: (next) => {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      if (listeners.size === 0) onFollowed?.()
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The server and hydration always see `atFirst`. */
export function useStore<T>({ get, subscribe }: Followed<T>, atFirst: T): T {
  return useSyncExternalStore(subscribe, get, () => atFirst)
}
