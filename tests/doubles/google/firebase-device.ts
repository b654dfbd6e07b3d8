import webPush from 'web-push'
import { firebaseBuild, type Build } from '#tests/support/builds.ts'
import { pushOrigin } from '../push/push-service.ts'
import { test as base, expect } from '../push/push-device.ts'
import { rerouteEnv } from '#tests/support/reroute.ts'
import { openSite } from '#tests/support/site.ts'
import { accountFile } from './account.ts'
import { openGoogleHosts, type GoogleHosts } from './google-hosts.ts'
import type { FcmMessage, Registration } from './state.ts'

/** The project's own key for notifications: Firebase signs with it what it passes on. */
const vapidKeys = webPush.generateVAPIDKeys()

interface Fixtures {
  readonly google: GoogleHosts
}

interface WorkerFixtures {
  readonly build: Build
}

/** The product built for Firebase, with a device and a server that take this machine for Google's. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  build: [
    async ({}, provide) => {
      const build = firebaseBuild(vapidKeys.publicKey)
      await provide(build)
      build.remove()
    },
    { scope: 'worker' },
  ],
  google: async ({ pushService }, provide) => {
    const google = await openGoogleHosts()
    google.state.deliver = (registration, message) => pass(pushService.url, registration, message)
    await provide(google)
    google.close()
  },
  site: async ({ build, google }, provide) => {
    const routes = Object.fromEntries(
      ['oauth2', 'fcm'].map((host) => [`https://${host}.googleapis.com`, google.url]),
    )
    const env = { ...rerouteEnv(routes), FIREBASE_SERVICE_ACCOUNT: JSON.stringify(accountFile) }
    const site = await openSite({ env, entry: build.entry })
    await provide(site)
    await site.close()
  },
  deviceExtras: async ({ pushService, google }, provide) =>
    provide({
      args: [...new Set([...pushService.chromiumArgs, ...google.chromiumArgs])],
      permissions: ['notifications'],
      isWhole: true,
    }),
})

/** Firebase passes a message on as a push of its own: encrypted for the browser, in its envelope, under the project's key. */
async function pass(
  pushService: string,
  { endpoint, p256dh, auth }: Registration,
  { data }: FcmMessage,
): Promise<boolean> {
  const envelope = { from: '123456789012', fcmMessageId: '1', priority: 'normal', data }
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(envelope),
    { vapidDetails: { subject: 'mailto:fcm@example.org', ...vapidKeys } },
  )
  const { 'Content-Length': _, ...own } = headers ?? {}
  const { status } = await fetch(pushService + new URL(endpoint).pathname, {
    method: 'POST',
    headers: { ...own, 'x-meant-for': pushOrigin },
    body: new Uint8Array(body),
  })
  return status === 201
}

export { expect }
