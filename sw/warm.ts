import type { Strategy } from 'workbox-strategies'

/** How many addresses are fetched side by side: few enough to leave the line to the page. */
const atOnce = 3

interface Warming {
  readonly event: ExtendableEvent
  readonly strategyFor: (url: URL) => Strategy
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

/** Fetches what is missing of the addresses, through the strategies that will answer for them; what fails is left to the next visit. */
export async function warm(urls: readonly string[], { event, strategyFor }: Warming) {
  await fewAtATime(urls, async (address) => {
    const url = new URL(address)
    const strategy = strategyFor(url)
    const kept = await caches.open(strategy.cacheName)
    if (await kept.match(url, { ignoreVary: true })) return
    const request = new Request(url, { mode: 'cors', credentials: 'same-origin' })
    await Promise.allSettled(strategy.handleAll({ request, event }))
  })
}
