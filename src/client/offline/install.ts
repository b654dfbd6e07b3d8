import { createStore } from '#client/ui/store.ts'
import { refuseOffer } from './install-offer.ts'

/*
 * Putting the site on the home screen. Chromium hands out a prompt that may be shown once; iPhones and iPads have only
 * their own menu, so there the page explains it.
 */

interface InstallState {
  /** How the site can be installed here: by a press, by a menu that has to be explained, or not (any more). */
  readonly way: 'prompt' | 'ios' | 'none'
  /** Whether the card is on screen. */
  readonly isOffered: boolean
}

/** Chromium's event, which TypeScript's library does not have. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

/** Nothing to install, as the server and hydration see it. */
export const noInstall: InstallState = { way: 'none', isOffered: false }

/** What can be installed here, as pages follow it. */
export const installing = createStore(noInstall)
let prompt: InstallPrompt | undefined

/** Notices how the site can be installed; `early` is the browser's event when it came before the application did. */
export function watchInstall(early: Event | undefined): void {
  if (isStandalone()) return
  const take = (event: Event) => {
    // The browser's own banner would come at a moment of its choosing.
    event.preventDefault()
    prompt = event as InstallPrompt
    set({ way: 'prompt' })
  }
  if (isIos(navigator)) set({ way: 'ios' })
  if (early) take(early)
  addEventListener('beforeinstallprompt', take)
  addEventListener('appinstalled', () => set({ way: 'none', isOffered: false }))
}

/** Puts the card on screen, where the site can be installed at all, or takes it away again. */
export function showInstallOffer(isOffered: boolean): void {
  const state = installing.get()
  const isPossible = isOffered && state.way !== 'none'
  if (isPossible !== state.isOffered) set({ isOffered: isPossible })
}

/** Shows the browser's own question; afterwards there is nothing to offer until the browser says so again. */
export async function install(): Promise<void> {
  const asked = prompt
  prompt = undefined
  set({ way: 'none', isOffered: false })
  const choice = await asked?.prompt()
  if (choice?.outcome === 'dismissed') refuseOffer(Date.now())
}

/** Takes the card away for a season. */
export function dismissInstall(): void {
  refuseOffer(Date.now())
  set({ isOffered: false })
}

/** Whether this is an iPhone or iPad; newer iPads call themselves Macs, but no Mac has a touch screen. */
export function isIos(device: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean {
  const { userAgent, maxTouchPoints } = device
  return /iP(?:hone|ad|od)/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

/** Whether the site runs as an installed application. */
export function isStandalone(): boolean {
  const isApple = 'standalone' in navigator && navigator.standalone === true
  return isApple || matchMedia('(display-mode: standalone)').matches
}

function set(change: Partial<InstallState>): void {
  installing.set({ ...installing.get(), ...change })
}
