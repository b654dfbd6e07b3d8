let early: Event | undefined

/** Keeps the browser's offer to install, which comes once and often before the application does. */
export function catchInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    early = event
  })
}

/** The offer caught so far. */
export const caughtInstallPrompt = (): Event | undefined => early
