/*
 * What pages and the worker must agree on. Nothing here brings the sections along: their texts would travel in the
 * worker, which needs none of them.
 */

/** Where the worker's file lies; it looks after every page of the site. */
export const workerPath = '/sw.js'

/** The worker's own caches, which pages may open too. */
export const cacheNames = {
  api: 'tintero-answers',
  images: 'tintero-images',
  pages: 'tintero-pages',
} as const

/** What only the owner's devices keep of the application; it stays when the copies of the content are forgotten. */
export const ownersCache = 'tintero-owner'

/** The file of the build that holds the owner's parts, by path: one answer in place of many, for her devices alone. */
export const ownersFiles = /\bowner-[\w-]+\.json$/

/** The same with what no page needs at its first visit, for everybody's. */
export const laterFiles = /\blater-[\w-]+\.json$/

/**
 * The cache of an earlier version. It kept each answer under a request with its headers, the session's token among them.
 */
export const oldCacheName = 'tintero-api'

/** Bounds of what a device keeps: how many of each, and for how long since it was last used. */
export const keptLimits = { answers: 60, images: 200, days: 90 } as const

/** How long the worker waits for the server before it answers from its copy. */
export const serverWaitMs = 3_000

interface Api {
  /** The API's absolute base. */
  readonly base: string
  readonly kinds: readonly string[]
}

/**
 * The kind read at an absolute address below the API's base (`experience`, `experience/detail/1`), whatever its query;
 * undefined for every call that is no read of these kinds.
 */
export function kindReadAt(address: string, { base, kinds }: Api): string | undefined {
  if (!address.startsWith(base)) return undefined
  const path = address.slice(base.length).replace(/[?#].*$/, '')
  const [kind = '', call, id, ...rest] = path.split('/')
  if (!kinds.includes(kind) || rest.length > 0) return undefined
  const isList = call === undefined
  const isDetail = call === 'detail' && id !== undefined && id !== ''
  return isList || isDetail ? kind : undefined
}

export type ToWorker =
  | { readonly type: 'SKIP_WAITING' }
  /** As `SKIP_WAITING`, but only when no page of the site is on screen. */
  | { readonly type: 'SKIP_WAITING_UNSEEN' }
  /** Look after every page of the site, the one that asks among them. */
  | { readonly type: 'CLAIM' }
  /** Fetch and keep what is missing of these addresses. */
  | { readonly type: 'WARM'; readonly urls: readonly string[] }
  /** The owner is signed in: keep her parts of the application; the port hears `OWNERS_PARTS_KEPT` once they are there. */
  | { readonly type: 'KEEP_OWNERS_PARTS' }

/** What the worker answers when all of the owner's parts are on the device. */
export const ownersPartsKept = 'OWNERS_PARTS_KEPT'

/** The message a page sent, or undefined for anything else. */
export function parseToWorker(data: unknown): ToWorker | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data)) return undefined
  const { type } = data
  if (type === 'SKIP_WAITING' || type === 'SKIP_WAITING_UNSEEN') return { type }
  if (type === 'CLAIM' || type === 'KEEP_OWNERS_PARTS') return { type }
  if (type !== 'WARM' || !('urls' in data) || !Array.isArray(data.urls)) return undefined
  return { type, urls: data.urls.filter((url): url is string => typeof url === 'string') }
}

/** Name of the browser's background task that wakes the queue of changes. */
export const drainTag = 'tintero-outbox'
/** What the worker tells open pages when the browser has found a connection again. */
export const drainMessage = { type: 'OUTBOX_DRAIN' } as const

/** Where pages keep the queue of changes; the worker only looks whether something of the owner's is in it. */
export const outboxPlace = {
  database: 'tintero-outbox',
  store: 'queue',
  key: 'operations',
} as const

/**
 * Where the owner's device keeps her hidden entries; a page on which nobody is signed in looks whether there are any left.
 */
export const hiddenPlace = {
  database: 'tintero-hidden',
  store: 'kv',
  durability: 'relaxed',
} as const

/** How a photo or a link shared to the installed app reaches the new project's form: the worker keeps it, the form takes it. */
export const share = {
  path: '/share',
  landing: '/addProj?compartido=1',
  /** The form, which says that it does not have what was shared. */
  notKept: '/addProj?compartido=0',
  /** The same, since as many as may wait do. */
  full: '/addProj?compartido=llenas',
  database: 'tintero-share',
  store: 'items',
  /** As many wait at most, each under the time at which it came; one more is not kept. */
  most: 5,
  fields: { title: 'title', text: 'text', url: 'url', photo: 'photo' },
  /** Beyond so many bytes of all together nothing is taken: a photo as large as any. */
  mostBytes: 11_000_000,
} as const

/** What was shared; the picture by its bytes. */
export interface SharedItem {
  readonly title: string
  readonly text: string
  readonly url: string
  readonly photo?: { readonly bytes: ArrayBuffer; readonly type: string; readonly name: string }
}
