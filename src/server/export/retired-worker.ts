/** Takes the place of the worker of a site that was here before: it forgets what that one kept, and leaves. */
export const retiredWorker = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(leave()))
async function leave() {
  const names = (await caches.keys()).filter((name) => /^(?:tintero|workbox)-/.test(name))
  await Promise.all(names.map((name) => caches.delete(name)))
  await self.registration.unregister()
}
`
