// Vite's own types bring the DOM along, which a worker does not have; this is all of them that it uses.
interface ImportMeta {
  readonly env: {
    readonly VITE_API_BASE: string
    /** The kinds of the contract, by name: with their definitions every text of the site would travel in the worker. */
    readonly VITE_PUBLIC_KINDS: readonly string[]
  }
}

// Not in TypeScript's worker library: only some browsers have them.
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
}
interface ServiceWorkerGlobalScopeEventMap {
  sync: SyncEvent
}
interface WorkerNavigator {
  readonly connection?: { readonly saveData?: boolean } | undefined
}
