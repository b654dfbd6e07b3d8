// What the build writes into the client, beside Vite's own values.
interface ImportMetaEnv {
  readonly VITE_API_BASE?: string
  /** `off` in the build that gets rid of a broken worker. */
  readonly VITE_WORKER?: string
}
