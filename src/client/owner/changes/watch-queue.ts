import { logProblem } from '#client/browser/early/log.ts'
import { markUnsaved } from '#client/data/unsaved.ts'
import { pictureInMemory } from '#client/outbox/picture-addresses.ts'
import type { PageOutbox } from '#client/outbox/page-outbox.ts'
import type { OutboxStore } from '#client/outbox/store.ts'
import { openMarkedStore } from './marked-store.ts'
import { followSettled, recallingStore } from './recall.ts'
import { tellRescued } from './tell-owner.ts'

/** A browser that deletes the site's data is done with all of it by then. In milliseconds. */
const lookAfterMs = 1_000

/** Counts as a form with unsaved text: perhaps only the page has what the device has just lost. */
const looking = 'outbox-looking'

const watched = new WeakSet<OutboxStore>()

/** Has the page's queue notice from now on when the browser throws it away. */
export function watchQueue({
  device,
  showEverywhere,
}: Pick<PageOutbox, 'device' | 'showEverywhere'>): void {
  if (watched.has(device)) return
  watched.add(device)
  let timer: ReturnType<typeof setTimeout> | undefined

  function lookSoon(): void {
    markUnsaved(looking, true)
    timer ??= setTimeout(() => {
      timer = undefined
      void showEverywhere().finally(() => markUnsaved(looking, timer !== undefined))
    }, lookAfterMs)
  }

  const { forget, ...store } = recallingStore({
    device: openMarkedStore(lookSoon),
    pictureInMemory,
    onRescued: (operations) => {
      void tellRescued(operations)
      void showEverywhere()
    },
    log: logProblem,
  })
  followSettled(forget)
  Object.assign(device, store)
  void showEverywhere()
}
