import { v7 as newId } from 'uuid'
import { queueTexts } from '#contract/texts/queue.ts'
import { openChannel } from '#client/browser/closable.ts'
import { delay } from '#client/browser/delay.ts'
import { toStored } from '#client/browser/stored-file.ts'
import { changesIn, pictureId, thrownAway, type Operation } from '#client/outbox/operation.ts'
import type { TabNews } from '#client/outbox/other-tabs.ts'
import type { OutboxStore } from '#client/outbox/store.ts'
import type { MarkedQueue, MarkedStore } from './marked-store.ts'

interface RecallOptions {
  readonly device: MarkedStore
  /** The picture that the page shows of this id. */
  readonly pictureInMemory: (id: string) => Blob | undefined
  /** Told of what the browser had thrown away once the device has it again. */
  readonly onRescued: (operations: readonly Operation[]) => void
  readonly log: (what: string, cause: unknown) => void
}

/** The device's store under a page that remembers what it has seen there. */
interface RecallingStore extends OutboxStore {
  /** Takes changes that were applied or discarded, here or in another tab, out of what the page remembers. */
  readonly forget: (ids: readonly string[]) => void
  /** What the page remembers, for a device that cannot be read any more. */
  readonly remembered: () => readonly Operation[]
}

/** A device that is short of room is not filled all at once with what it has just thrown away. */
const pictureEveryMs = 500

/**
 * Notices when the browser throws the queue away under the page, as when it is short of room or the person deletes the
 * site's data, and puts back what the page remembers of the owner's. What leaves the queue by the product's own doing leaves the database
 * and its mark where they are, so one with another mark was made anew.
 * A visitor's message is none of these.
 */
export function recallingStore(options: RecallOptions): RecallingStore {
  const { device, pictureInMemory, onRescued, log } = options
  /** Only what this page has read there, or written. */
  let known: MarkedQueue = { operations: [], mark: undefined }

  /** What is not on the device any more although nobody took it out; what another tab has put back stays as that tab knew it. */
  function missing({ operations, mark }: MarkedQueue): readonly Operation[] {
    if (known.mark === undefined || known.mark === mark) return []
    const there = new Set(operations.flatMap((one) => [one.id, ...changesIn(one)]))
    return known.operations
      .filter(({ subject }) => subject.on !== 'message')
      .filter((one) => ![one.id, ...changesIn(one)].some((id) => there.has(id)))
      .map(rescued)
  }

  const update: OutboxStore['update'] = async (change) => {
    const { result, kept, lost } = await device.update((found, mark) => {
      const gone = missing({ operations: found, mark })
      const before = gone.length > 0 ? [...gone, ...found] : found
      const { operations, ...next } = change(before)
      // A turn that writes nothing is not to fail on a device that takes nothing.
      const marked = mark ?? (operations === found ? undefined : newId())
      return {
        ...next,
        operations,
        ...(marked !== undefined && { mark: marked }),
        result: { result: next.result, kept: { operations, mark: marked }, lost: gone },
      }
    })
    known = kept
    const back = lost.filter((one) => kept.operations.some(({ id }) => id === one.id))
    if (back.length > 0) {
      onRescued(back)
      void keepPictures(back)
    }
    return result
  }

  /** One at a time, and only what the device has not. */
  async function keepPictures(operations: readonly Operation[]): Promise<void> {
    for (const id of operations.filter(({ image }) => image).map(pictureId)) {
      await delay(pictureEveryMs)
      await keepPicture(id).catch((cause: unknown) => log('A picture could not be put back', cause))
    }
  }

  async function keepPicture(id: string): Promise<void> {
    const inMemory = pictureInMemory(id)
    if (!inMemory || (await device.picture(id))) return
    const picture = await toStored(inMemory)
    await device.update((operations) => {
      const isNeeded = operations.some((one) => one.image && pictureId(one) === id)
      return { operations, ...(isNeeded && { pictures: { [id]: picture } }), result: undefined }
    })
  }

  return {
    update,
    read: async () => {
      const kept = await device.read()
      if (missing(kept).length > 0) {
        return update((operations) => ({ operations, result: operations }))
      }
      known = kept
      return kept.operations
    },
    picture: async (id) => {
      try {
        return (await device.picture(id)) ?? pictureInMemory(id)
      } catch (cause) {
        const inMemory = pictureInMemory(id)
        if (!inMemory) throw cause
        return inMemory
      }
    },
    forget: (ids) => {
      const operations = known.operations.filter(({ id }) => !ids.includes(id))
      known = { ...known, operations }
    },
    remembered: () => known.operations.map(rescued),
  }
}

/**
 * A change that the browser threw away and a page still had. Another page may have sent it or the person discarded it
 * since, so it counts as tried and goes by nobody's word but hers.
 */
export function rescued(operation: Operation): Operation {
  const refusal = { code: thrownAway, reason: queueTexts.thrownAway }
  return { refusal, ...operation, tries: Math.max(1, operation.tries) }
}

/** Whether it is held because the browser had thrown it away. */
export function isRescued({ refusal }: Operation): boolean {
  return refusal?.code === thrownAway
}

/** Tells at once what left the queue, in this tab or another, whatever of the earlier news is still being shown. */
export function followSettled(onSettled: (ids: readonly string[]) => void): void {
  openChannel('tintero-outbox')?.addEventListener('message', ({ data }: MessageEvent<TabNews>) =>
    onSettled(settledIn(data)),
  )
}

function settledIn(news: TabNews): readonly string[] {
  if (news === 'changed') return []
  if ('discarded' in news) return news.discarded
  return [news.operation.id, ...changesIn(news.operation)]
}
