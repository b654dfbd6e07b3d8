let early: Event | undefined

/** The browser offers to install only once, and often before the application runs. */
export function catchInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    early = event
  })
}

export const caughtInstallPrompt = (): Event | undefined => early
