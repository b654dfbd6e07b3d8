/** How many addresses are fetched side by side: few enough to leave the line to the page. */
const atOnce = 3

/** A fetch that takes longer, in milliseconds, is left to the next visit. */
const fetchedWithinMs = 20_000

/** What fetches and keeps what lies at some addresses; the library's strategies do. */
export interface Keeper {
  readonly cacheName: string
  handleAll(asked: {
    readonly request: Request
    readonly event: ExtendableEvent
  }): Promise<unknown>[]
}

interface Warming {
  readonly event: ExtendableEvent
  readonly registration: ServiceWorkerRegistration
  readonly keeperFor: (url: URL) => Keeper
  /** Fetches at once what it can of them; what it does not is fetched by itself. */
  readonly keepTogether: (urls: readonly string[], signal: AbortSignal) => Promise<void>
}

/** Whether the person asked the browser to spend little data. */
export function isSavingData(navigator: Pick<WorkerNavigator, 'connection'>): boolean {
  return navigator.connection?.saveData === true
}

/** Runs the task on every item, a few side by side. */
export async function fewAtATime<T>(
  items: readonly T[],
  task: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await task(item)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/**
 * Fetches what is missing of the addresses, through what will answer for them; what fails is left to the next visit. Stops
 * for a new version, which cannot take over while this one is at work.
 */
export async function warm(urls: readonly string[], warming: Warming): Promise<void> {
  const { event, registration, keeperFor, keepTogether } = warming
  const stop = new AbortController()
  registration.addEventListener('updatefound', () => stop.abort())
  const timedSignal = () => AbortSignal.any([stop.signal, AbortSignal.timeout(fetchedWithinMs)])
  await keepTogether(urls, timedSignal()).catch(() => undefined)
  await fewAtATime(urls, async (address) => {
    const url = new URL(address)
    const keeper = keeperFor(url)
    const { cacheName } = keeper
    if (stop.signal.aborted || (await caches.match(url, { cacheName, ignoreVary: true }))) return
    const request = new Request(url, {
      mode: 'cors',
      credentials: 'same-origin',
      signal: timedSignal(),
    })
    await Promise.allSettled(keeper.handleAll({ request, event }))
  })
}
