import { project } from '#contract/sections/project.ts'
import type { OutboxStore } from '#client/outbox/store.ts'
import { createOutbox, type Outbox } from '#client/outbox/outbox.ts'
import {
  overlayEntries,
  overlayPerson,
  type Queued,
  rowShown,
} from '#client/outbox/overlay-rows.ts'
import type { ShownEntry, ShownPerson } from '#client/data/overlay.ts'
import { sendOperation } from '#client/outbox/send.ts'
import { queryKeyOf, showApplied } from '#client/outbox/show-applied.ts'
import { entriesQuery, personQuery, readSiteFromApi } from '#client/data/queries.ts'
import { createQueryClient } from '#client/data/query-client.ts'
import { getSession, onSession } from '#client/data/session.ts'
import { PageClosed, passed } from './fake-browser.ts'
import type { Random } from '../support/random.ts'

interface PageOptions {
  /** What all pages of the device keep in common. */
  readonly durable: OutboxStore
  readonly random: Random
  readonly whileOpening: <T>(isAlive: () => boolean, open: () => T) => T
}

export interface HistoryPage {
  readonly outbox: Outbox
  /** Reads everything anew from the server. */
  readonly read: () => void
  /** The list as the owner sees it. */
  readonly shown: () => readonly ShownEntry[]
  readonly person: () => ShownPerson | undefined
  readonly close: () => void
}

/** A page with the product's queue in it, wired as in the product, that can be closed at any moment. */
export function openPage({ durable, random, whileOpening }: PageOptions): HistoryPage {
  const closing = Promise.withResolvers<never>()
  closing.promise.catch(() => undefined)
  let isAlive = true
  const alive = () => isAlive
  const queryClient = createQueryClient(readSiteFromApi)
  const stale = new Map<string, readonly unknown[]>()
  const outbox = createOutbox({
    store: storeOf({ durable, random, alive }),
    send: (...sending) => Promise.race([sendOperation(...sending), closing.promise]),
    whileSending: (run) => run(),
    isOwner: () => getSession().token !== undefined && !getSession().isExpired,
    isOnline: () => navigator.onLine,
    shown: (subject, operations) => rowShown(queryClient, subject, laidOver(operations)),
    onApplied: async ({ operation, json }) => {
      await showApplied(queryClient, operation, json)
      const queryKey = queryKeyOf(operation)
      if (queryKey) stale.set(queryKey.join('/'), queryKey)
    },
    onIdle: () => {
      for (const queryKey of stale.values()) void queryClient.invalidateQueries({ queryKey })
      stale.clear()
    },
    log: () => undefined,
  })
  const stop = onSession(() => {
    const { token, isExpired } = getSession()
    if (token !== undefined && !isExpired) outbox.answerLogin(true)
  })
  // A page that is closed while it opens opens no more.
  whileOpening(alive, () => void outbox.start().catch(() => undefined))
  const read = () => {
    // What cannot be read now is read later.
    queryClient.query({ ...entriesQuery(project), staleTime: 0 }).catch(() => undefined)
    queryClient.query({ ...personQuery, staleTime: 0 }).catch(() => undefined)
  }
  read()
  return {
    outbox,
    read,
    shown: () => {
      const rows = queryClient.getQueryData(entriesQuery(project).queryKey) ?? []
      const { operations } = outbox.getState()
      return overlayEntries(project.key, rows, laidOver(operations))
    },
    person: () => {
      const person = queryClient.getQueryData(personQuery.queryKey)
      return person && overlayPerson(person, laidOver(outbox.getState().operations))
    },
    close: () => {
      isAlive = false
      stop()
      closing.reject(new PageClosed())
    },
  }
}

const laidOver = (operations: Queued['operations']): Queued => ({
  operations,
  pictureOf: () => undefined,
})

/** The device's store as one page reaches it: slowly, and not at all once the page is gone. */
function storeOf({
  durable,
  random,
  alive,
}: {
  readonly durable: OutboxStore
  readonly random: Random
  readonly alive: () => boolean
}): OutboxStore {
  const turn = async () => {
    await passed(random.below(4))
    if (!alive()) throw new PageClosed()
  }
  const slowly = async <T>(run: () => Promise<T>): Promise<T> => {
    await turn()
    const result = await run()
    await turn()
    return result
  }
  return {
    // What a closed page still reads does no harm.
    read: async () => {
      await passed(random.below(4))
      return durable.read()
    },
    picture: (id) => slowly(() => durable.picture(id)),
    update: (change) =>
      navigator.locks.request('store', () => slowly(() => durable.update(change))),
  }
}
