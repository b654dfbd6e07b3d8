/** What the worker tells open pages of notifications; a page answers the wish to open something through the port it came with. */
export type WorkerMessage =
  /** A notification is on screen: what the page knows of the messages is old. */
  | { readonly type: 'PUSH_ARRIVED' }
  /** The browser gave up this device's address: it needs another, which the server has to be told. */
  | { readonly type: 'PUSH_MOVED' }
  /** A notification was pressed; the path is of this site. */
  | { readonly type: 'PUSH_OPEN'; readonly url: string }

/** What a page answers when it shows what the notification leads to. */
export const pushTaken = 'PUSH_TAKEN'

/** Where a press on a notification about the owner's changes leads: to any page, with the list of the changes open. */
export const queueUrl = '/#cambios'

/** The worker's message, or undefined for anything else. */
export function parseWorkerMessage(data: unknown): WorkerMessage | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data)) return undefined
  if (data.type === 'PUSH_ARRIVED' || data.type === 'PUSH_MOVED') return { type: data.type }
  if (data.type !== 'PUSH_OPEN' || !('url' in data)) return undefined
  const { url } = data
  return typeof url === 'string' && /^\/(?![/\\])/.test(url) ? { type: data.type, url } : undefined
}
