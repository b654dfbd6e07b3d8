import { drainTag } from '#contract/offline/offline.ts'
import { serviceWorkers } from './closable.ts'

/** The part of the browser's background sync that is used here; TypeScript's library does not have it. */
interface WithSync {
  readonly sync?: { register(tag: string): Promise<void> }
}

/** Asks the browser to wake this site's pages when it has found a connection, where it can. */
export async function drainOnConnection(): Promise<void> {
  try {
    const registration = await serviceWorkers()?.getRegistration()
    await (registration as WithSync | undefined)?.sync?.register(drainTag)
  } catch {
    // An extra: no worker, no permission or a browser in private mode only means that pages find out by themselves.
  }
}
