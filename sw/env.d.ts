// Vite's own types bring the DOM along, which a worker does not have; this is all of them that it uses.
interface ImportMeta {
  readonly env: { readonly VITE_API_BASE?: string }
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
