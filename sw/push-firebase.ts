declare const self: ServiceWorkerGlobalScope

/**
 * Hands every push to `show`: what the server gave Firebase, out of the envelope it travels in, or the push itself where
 * it came without one. Firebase's own code for workers is left out: it would keep quiet whenever a page is in sight, and
 * is larger than the rest of this worker.
 */
export function listenForPush(show: (data: unknown) => Promise<void>): void {
  self.addEventListener('push', (event) => event.waitUntil(show(readJson(event.data))))
}

function readJson(data: PushMessageData | null): unknown {
  try {
    const json: unknown = data?.json()
    return typeof json === 'object' && json !== null && 'data' in json ? json.data : json
  } catch {
    return undefined // not from our server
  }
}
