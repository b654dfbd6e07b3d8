declare const self: ServiceWorkerGlobalScope

/** Hands every push to `show`: its data as JSON, undefined when it has none or is not JSON. */
export function listenForPush(show: (data: unknown) => Promise<void>): void {
  self.addEventListener('push', (event) => event.waitUntil(show(readJson(event.data))))
}

function readJson(data: PushMessageData | null): unknown {
  try {
    return data?.json()
  } catch {
    return undefined // not from our server
  }
}
