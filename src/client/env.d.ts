import type { FirebaseBuild } from '#contract/firebase.ts'

declare global {
  /** What the build fixes; see `vite.config.ts`. */
  interface ImportMetaEnv {
    /** Where the API is: a path of this site or another server's address; ends in a slash. */
    readonly VITE_API_BASE?: string
    /** The external address that takes contact messages; empty: the API itself. */
    readonly VITE_CONTACT_URL?: string
    /** `off` in the build that gets rid of a broken worker. */
    readonly VITE_WORKER?: string
    /** The product's version, from its package. */
    readonly VITE_VERSION: string
    /** The project at Firebase, empty where nothing of Firebase is used; absent in tests. */
    readonly VITE_FIREBASE_OPTIONS?: FirebaseBuild['options'] | ''
    /** The key for notifications through Firebase; empty: without it. */
    readonly VITE_FIREBASE_PUSH?: string
    /** `on` where pictures are kept at Firebase, and where its parameters are asked for. */
    readonly VITE_FIREBASE_IMAGES?: string
    readonly VITE_FIREBASE_CONFIG?: string
  }
}
