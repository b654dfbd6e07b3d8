import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStore } from '#client/outbox/fallback-store.ts'
import { createFolding, fold } from '#client/outbox/fold.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { createOutbox } from '#client/outbox/outbox.ts'
import { overlayEntries } from '#client/outbox/overlay-rows.ts'

const owner = { account: 'a', userName: 'ana' }

/** So many things that count how often anything of them is looked at. */
function counted<T extends object>(count: number, make: (n: number) => T) {
  const looks = { count: 0 }
  const get = (target: T, name: string | symbol) => {
    looks.count++
    return Reflect.get(target, name) as unknown
  }
  return { looks, all: Array.from({ length: count }, (_, n) => new Proxy(make(n), { get })) }
}

function changeOf(n: number, verb: 'create' | 'update'): Operation {
  return operationOf({
    id: `op-${n}`,
    subject: { on: 'entry', section: 'proyect', id: `e-${n}` },
    verb,
  })
}

function operationOf(change: Pick<Operation, 'id' | 'subject' | 'verb'> & Partial<Operation>) {
  const madeAt = '2026-01-01T00:00:00.000Z'
  return { values: { name: 'x' }, label: 'x', madeAt, tries: 0, owner, ...change }
}

/** How often something of so many new entries is looked at until all wait. */
async function looksToKeep(count: number): Promise<number> {
  const { looks, all } = counted(count, (n) => changeOf(n, 'create'))
  const held: number[] = []
  const outbox = createOutbox({
    store: memoryStore(),
    send: async () => ({ is: 'applied' }),
    whileSending: (run) => run(),
    isOwner: () => true,
    account: () => owner,
    isOnline: () => false,
    markDrafts: async ({ length }) => void held.push(length),
    onApplied: async () => {},
    onIdle: () => {},
    log: () => {},
  })
  const { results } = await outbox.addAll(all)
  expect(await results).toHaveLength(count)
  // Told once of all: each telling reads every draft of the device.
  expect(held).toEqual([count])
  return looks.count
}

/** How often something of so many rows is looked at until each shows the change that waits for it. */
function looksToShow(count: number): number {
  const rows = counted(count, (n) => ({ id: `e-${n}`, version: 1, fields: { name: 'y' } }))
  // The last row's first, so that whoever looks for a row by going through them meets all that are untouched.
  const operations = rows.all.map((_, n) => changeOf(count - 1 - n, 'update'))
  const shown = overlayEntries('proyect', rows.all, { operations, pictureOf: () => undefined })
  expect(shown.filter(({ fields }) => fields['name'] === 'x')).toHaveLength(count)
  return rows.looks.count
}

test('ten times as many changes of an import are ten times the work, to keep and to show', async () => {
  expect((await looksToKeep(500)) / (await looksToKeep(50))).toBeLessThan(11)
  expect(looksToShow(500) / looksToShow(50)).toBeLessThan(11)
})

test('changes that are added at once make the queue that each would make alone', () => {
  const subjects: Operation['subject'][] = [
    { on: 'entry', section: 'proyect', id: 'e' },
    { on: 'entry', section: 'proyect', id: 'f' },
    { on: 'person' },
    { on: 'settings', key: 'theme_default' },
    { on: 'settings' },
  ]
  const operation = fc.record({
    subject: fc.constantFrom(...subjects),
    verb: fc.constantFrom('create', 'update', 'remove', 'restore', 'erase'),
    tries: fc.constantFrom(0, 0, 1),
    refusal: fc.constantFrom(undefined, undefined, 'datos-no-validos', 'no-encontrado'),
  })
  const several = fc.array(operation, { maxLength: 6 })
  fc.assert(
    fc.property(several, several, (queued, added) => {
      const all = [...queued, ...added].map(({ refusal: code, ...rest }, n) =>
        operationOf({
          ...(rest as Pick<Operation, 'subject' | 'verb'>),
          id: `op-${n}`,
          ...(code !== undefined && n < queued.length && { refusal: { code, reason: '' } }),
          ...(n >= queued.length && { tries: 0 }),
        }),
      )
      const folding = createFolding(all.slice(0, queued.length))
      let alone: readonly Operation[] = all.slice(0, queued.length)
      for (const one of all.slice(queued.length)) {
        const { operations, ...expected } = fold(alone, one)
        const { superfluous, ...folded } = folding.add(one)
        expect(folded).toEqual(expected)
        const left = new Set(operations.flatMap(({ id, changes }) => changes ?? [id]))
        expect(superfluous).toEqual(alone.map(({ id }) => id).filter((id) => !left.has(id)))
        alone = operations
      }
      expect(folding.operations()).toEqual(alone)
    }),
    { numRuns: 500 },
  )
})
