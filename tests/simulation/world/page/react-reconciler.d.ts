declare module 'react-reconciler' {
  import type { ReactNode } from 'react'

  interface Reconciler {
    createContainer(root: unknown, ...options: readonly unknown[]): object
    updateContainer(tree: ReactNode, container: object, parent: null, callback: null): void
  }

  /** Makes React draw through a host's own functions. */
  export default function createReconciler(host: object): Reconciler
}

declare module 'react-reconciler/constants.js' {
  export const ConcurrentRoot: number
  export const DefaultEventPriority: number
}
