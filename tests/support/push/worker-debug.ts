import type { CDPSession, Page } from 'playwright/test'
import type { Site } from '../site.ts'

/** The worker of the site as the browser's debugger reaches it: for events that only a browser sends. */
export interface WorkerDebug {
  /** As if a push came, without a push service. */
  push(data: string): Promise<void>
}

/** Takes hold of the site's worker from a page of the same browser, whatever that page shows. */
export async function debugWorker(page: Page, site: Pick<Site, 'url'>): Promise<WorkerDebug> {
  const debug: CDPSession = await page.context().newCDPSession(page)
  const { promise, resolve } = Promise.withResolvers<string>()
  debug.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [registration] = registrations
    if (registration) resolve(registration.registrationId)
  })
  await debug.send('ServiceWorker.enable')
  const target = { origin: new URL(site.url).origin, registrationId: await promise }
  return {
    push: async (data) => {
      await debug.send('ServiceWorker.deliverPushMessage', { ...target, data })
    },
  }
}
