import { v7 as newId } from 'uuid'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { FieldValues } from '#contract/fields.ts'
import { project } from '#contract/sections/project.ts'
import { baseOf } from '#client/owner/changes/submit-change.ts'
import { fold } from '#client/outbox/fold.ts'
import { changedHere, type Operation, type Row } from '#client/outbox/operation.ts'
import { settle } from '#client/outbox/queue-rules.ts'
import { createOutbox } from '#client/outbox/outbox.ts'
import { overlayEntries, overlayPerson } from '#client/outbox/overlay-rows.ts'
import type { Answer } from '#client/outbox/ports.ts'
import { memoryStore } from '#client/outbox/fallback-store.ts'
import { logIn } from '#client/session/session-change.ts'
import { createFakeApi } from '#tests/doubles/fake-api.ts'
import { installBrowser } from '#tests/doubles/fake-browser.ts'
import { openPage, type HistoryPage } from '#tests/doubles/history-page.ts'
import { createRandom } from '#tests/support/random.ts'

/* Two forms over one thing, in two tabs or one: what one never saw of the other it does not write over unasked. */

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const id = '01890000-0000-7000-8000-000000000001'
const subject = { on: 'entry', section: project.key, id } as const
const stored = { id, version: 3, fields: { name: 'antes' } }
const laidOver = (operations: readonly Operation[]) => ({ operations, pictureOf: () => undefined })
const shownWith = (operations: readonly Operation[]) =>
  overlayEntries(project.key, [stored], laidOver(operations))[0]

function edit(row: Row, values: FieldValues): Operation {
  const madeAt = '2026-01-01T00:00:00.000Z'
  const made = { id: newId(), subject, verb: 'update', label: '', madeAt, tries: 0 } as const
  return { ...made, values, ...baseOf(row) }
}

function outboxWith(
  store = memoryStore(),
  answers: Answer[] = [],
  shown: (operations: readonly Operation[]) => Row | undefined = shownWith,
) {
  const sent: Operation[] = []
  const connection = { isOnline: false }
  const outbox = createOutbox({
    store,
    send: async (operation) => {
      sent.push(operation)
      return answers.shift() ?? { is: 'applied' }
    },
    shown: (_, operations) => shown(operations),
    whileSending: (run) => run(),
    isOwner: () => true,
    isOnline: () => connection.isOnline,
    onApplied: async () => {},
    onIdle: () => {},
    log: () => {},
  })
  return { outbox, sent, connection, store }
}

describe('without a connection', () => {
  test('what no form can take back is kept behind what it never saw, and not folded into it', async () => {
    const { outbox, store } = outboxWith()
    await outbox.add(edit(stored, { name: 'uno' }))
    void outbox.add(edit(stored, { name: 'dos' }), { isFormless: true })
    await expect
      .poll(() => store.read())
      .toMatchObject([{ values: { name: 'uno' } }, { values: { name: 'dos' }, version: 3 }])
  })

  test('a form that never saw what the other queued has its change back at once, with the other one beside it', async () => {
    const { outbox, store } = outboxWith()
    await outbox.add(edit(stored, { name: 'uno' }))
    const before = await store.read()
    const settled = await outbox.add(edit(stored, { name: 'dos' }))
    expect(settled).toMatchObject({
      state: 'refused',
      refusal: { code: changedHere, current: { version: 3, fields: { name: 'uno' } } },
    })
    expect(await store.read()).toEqual(before)
  })

  test('the same form saves over it once its owner has seen it', async () => {
    const { outbox, store } = outboxWith()
    await outbox.add(edit(stored, { name: 'uno' }))
    const settled = await outbox.add(edit(stored, { name: 'dos' }))
    const current = settled.state === 'refused' ? settled.refusal.current : undefined
    await expect(outbox.add(edit(current ?? stored, { name: 'dos' }))).resolves.toEqual({
      state: 'queued',
      because: 'offline',
    })
    expect(await store.read()).toMatchObject([{ values: { name: 'dos' }, version: 3 }])
  })

  test('a form opened over a queued change goes on from there', async () => {
    const { outbox, store } = outboxWith()
    await outbox.add(edit(stored, { name: 'uno' }))
    const row = shownWith(await store.read()) ?? stored
    await expect(outbox.add(edit(row, { repo: 'r' }))).resolves.toEqual({
      state: 'queued',
      because: 'offline',
    })
    expect(await store.read()).toMatchObject([{ values: { name: 'uno', repo: 'r' } }])
  })

  test('what was merged into a queued change after a form saw it counts as unseen', async () => {
    const { outbox, store } = outboxWith()
    await outbox.add(edit(stored, { name: 'uno' }))
    const row = shownWith(await store.read()) ?? stored
    await outbox.add(edit(row, { name: 'dos' }))
    const settled = await outbox.add(edit(row, { name: 'tres' }))
    expect(settled).toMatchObject({ refusal: { current: { fields: { name: 'dos' } } } })
  })

  test('a removal by a page that never saw the edit is given back too', async () => {
    const { outbox, store } = outboxWith()
    await outbox.add(edit(stored, { name: 'uno' }))
    const removal = { ...edit(stored, {}), verb: 'remove' } as const
    await expect(outbox.add(removal)).resolves.toMatchObject({ refusal: { code: changedHere } })
    expect(await store.read()).toMatchObject([{ verb: 'update' }])
  })

  test('what the list of changes put right is news to a form that was open', async () => {
    const refusal = { code: 'datos-no-validos', reason: 'No.' }
    const refused = { ...edit(stored, { name: 'mal' }), tries: 1, refusal }
    const { outbox, store } = outboxWith(memoryStore([refused]))
    const row = shownWith([refused]) ?? stored
    await outbox.retry(refused.id, { values: { name: 'bien' } })
    const settled = await outbox.add(edit(row, { name: 'otro' }))
    const changed = { at: refused.madeAt }
    expect(settled).toMatchObject({ refusal: { current: { fields: { name: 'bien' }, changed } } })
    expect(await store.read()).toMatchObject([{ values: { name: 'bien' } }])
  })
})

test('the version of a change that has arrived is not taken over by a form that never saw it', async () => {
  const { outbox, sent, connection } = outboxWith(memoryStore(), [
    { is: 'applied', version: 4 },
    { is: 'refused', refusal: { code: 'version-cambiada', reason: '', current: stored } },
  ])
  connection.isOnline = true
  const first = edit(stored, { name: 'uno' })
  const seeing = edit(shownWith([first]) ?? stored, { name: 'tres' })
  await outbox.add(first)
  await outbox.add(edit(stored, { name: 'dos' }))
  expect(sent.map(({ version }) => version)).toEqual([3, 3])
  await outbox.add(seeing)
  expect(sent.at(-1)?.version).toBe(4)
})

test('a removal that took the place of a refused edit waits for a word when it is refused itself', async () => {
  const refusal = { code: 'datos-no-validos', reason: 'No.' }
  const refused = { ...edit(stored, { name: 'mal' }), tries: 1, refusal }
  const changed = { code: 'version-cambiada', reason: 'No.', current: { version: 4, fields: {} } }
  const answers: Answer[] = [{ is: 'refused', refusal: changed }]
  const { outbox, connection, sent, store } = outboxWith(memoryStore([refused]), answers)
  connection.isOnline = true
  const row = shownWith([refused]) ?? stored
  const removal = { ...edit({ ...row, version: 4 }, {}), verb: 'remove' } as const
  await expect(outbox.add(removal)).resolves.toMatchObject({ state: 'queued' })
  expect(sent).toMatchObject([{ verb: 'remove', version: 3 }])
  expect(await store.read()).toMatchObject([{ verb: 'remove', refusal: changed }])
})

test('a form opened over an unsent entry goes on from its first version, whatever its number', async () => {
  const { outbox, sent, connection } = outboxWith(memoryStore(), [
    { is: 'applied', version: 40_001 },
  ])
  connection.isOnline = true
  const { version: _, seen: __, ...made } = edit(stored, { name: 'nueva' })
  const create: Operation = { ...made, verb: 'create' }
  await outbox.add(create)
  await outbox.add(edit({ version: 0, fields: {}, seen: [create.id] }, { name: 'mejor' }))
  expect(sent.at(-1)?.version).toBe(40_001)
})

test('what waits behind a change it was made without keeps its own version, and is not merged into it', () => {
  const first = edit(stored, { name: 'uno' })
  const blind = edit(stored, { name: 'dos' })
  expect(fold([first], blind).operations).toEqual([first, blind])
  expect(settle([first, blind], first, 4)).toEqual([blind])
  const seeing = edit(shownWith([first]) ?? stored, { name: 'dos' })
  expect(settle([first, seeing], first, 4)).toEqual([{ ...seeing, version: 4 }])
})

test('what an earlier version of the product queued goes on as it did', () => {
  const { seen: _, ...old } = edit(stored, { name: 'uno' })
  const { seen: __, ...later } = edit(stored, { name: 'dos' })
  expect(fold([old], later).operations).toMatchObject([{ id: old.id, values: { name: 'dos' } }])
  expect(settle([old, later], old, 4)).toEqual([{ ...later, version: 4 }])
})

test('the profile has its change back, too, from a form that never saw the other one', async () => {
  const person = { version: 3, fields: { name: 'antes' } }
  const shown = (operations: readonly Operation[]) => overlayPerson(person, laidOver(operations))
  const { outbox, store } = outboxWith(memoryStore(), [], shown)
  const ofPerson = (row: Row, name: string): Operation => ({
    ...edit(row, { name }),
    subject: { on: 'person' },
  })
  await outbox.add(ofPerson(person, 'uno'))
  const queued = await store.read()
  const refusal = { code: changedHere, current: { version: 3, fields: { name: 'uno' } } }
  const settled = await outbox.add(ofPerson(person, 'dos'))
  expect(settled).toMatchObject({ state: 'refused', refusal })
  expect(await store.read()).toEqual(queued)
  await outbox.add(ofPerson(shown(queued), 'tres'))
  expect(await store.read()).toMatchObject([{ values: { name: 'tres' }, version: 3 }])
})

describe('a setting', () => {
  const set = (value: string, before?: string, key = 'location_text'): Operation => {
    const { seen: _, version: __, ...made } = edit(stored, { [key]: value })
    return { ...made, subject: { on: 'settings', key }, ...(before !== undefined && { before }) }
  }
  const settings = (queued: Operation[] = [], answers: Answer[] = []) =>
    outboxWith(memoryStore(queued), answers, (operations) => ({
      version: 0,
      fields: Object.assign({}, ...operations.map(({ values }) => values)) as FieldValues,
    }))

  test('chosen in place of a value that is not the queued one is asked about', async () => {
    const { outbox, store } = settings()
    await outbox.add(set('Salta', ''))
    await expect(outbox.add(set('Jujuy', ''))).resolves.toMatchObject({
      state: 'refused',
      refusal: { code: changedHere, current: { fields: { location_text: 'Salta' } } },
    })
    expect(await store.read()).toMatchObject([{ values: { location_text: 'Salta' } }])
  })

  test('chosen in place of the queued one goes on from the value that the first was chosen in place of', async () => {
    const { outbox, store } = settings()
    await outbox.add(set('Salta', ''))
    await outbox.add(set('Jujuy', 'Salta'))
    expect(await store.read()).toMatchObject([{ values: { location_text: 'Jujuy' }, before: '' }])
  })

  test('chosen alike twice, or beside another setting, is no conflict', async () => {
    const { outbox, store } = settings()
    await outbox.add(set('Salta', ''))
    await expect(outbox.add(set('Salta', ''))).resolves.toEqual({
      state: 'queued',
      because: 'offline',
    })
    await expect(outbox.add(set('40', '', 'age_text'))).resolves.toEqual({
      state: 'queued',
      because: 'offline',
    })
    expect(await store.read()).toHaveLength(2)
  })

  test('that was refused holds no other one', async () => {
    const refusal = { code: 'datos-no-validos', reason: 'No.' }
    const { outbox, sent, connection } = settings([{ ...set('mal', ''), tries: 1, refusal }])
    connection.isOnline = true
    const other = set('false', 'true', 'maintenance_readonly')
    await expect(outbox.add(other)).resolves.toEqual({ state: 'saved' })
    expect(sent).toEqual([expect.objectContaining({ id: other.id })])
  })

  test('of an earlier version of the product, without its key, keeps its place among them', async () => {
    const together = { on: 'settings' } as const
    const old = { ...set('Salta'), subject: together, tries: 1 }
    const { outbox, sent, connection } = settings([old])
    connection.isOnline = true
    await outbox.add(set('Jujuy', 'Salta'))
    expect(sent.map(({ values }) => values['location_text'])).toEqual(['Salta', 'Jujuy'])
  })
})

/*
 * Random histories of two tabs that edit one entry: forms stay open while others save, the line goes down and comes back,
 * answers get lost. Every text that the server took was written by somebody who saw the one before it.
 */
const { TWO_FORMS_SEED: asked, TWO_FORMS: many = 60 } = process.env
const counts = { applied: 0, compared: 0 }
const seeds = asked
  ? [Number(asked)]
  : Array.from({ length: Number(many) }, (_, index) => index + 1)

test.each(seeds)(
  'history %i: no text is written over by somebody who never saw it',
  async (seed) => {
    vi.useFakeTimers()
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const random = createRandom(seed)
    const api = createFakeApi()
    const { line, device, whileOpening } = installBrowser({ api, random })
    const kept = new Map<string, string>()
    const getItem = (name: string) => kept.get(name) ?? null
    vi.stubGlobal('sessionStorage', { getItem, setItem: kept.set.bind(kept) })
    api.setToken('token')
    logIn({ token: 'token', userName: 'a', authorities: [] })
    api.receive({
      method: 'POST',
      path: `${project.key}/create`,
      headers: new Headers({ Authorization: 'Bearertoken' }),
      body: JSON.stringify({ id, name: 'texto-0' }),
    })
    const durable = memoryStore()
    const tabs = [1, 2].map(() => openPage({ durable, random, whileOpening }))
    onTestFinished(() => tabs.forEach((tab) => tab.close()))
    await vi.advanceTimersByTimeAsync(5_000)

    /** What each text's form showed when it was opened. */
    const saw = new Map<string, string>()
    /** The texts whose owner was shown the other one beside them. */
    const compared = new Set<string>()
    const forms = new Map<HistoryPage, Row>()
    const save = async (tab: HistoryPage, row: Row) => {
      const text = `texto-${saw.size + 1}`
      saw.set(text, row.fields['name'] ?? '')
      const { state } = await tab.outbox.add(edit(row, { name: text }))
      if (state === 'refused') compared.add(text)
    }
    for (let step = 0; step < 80; step++) {
      const tab = random.pick(tabs) ?? tabs[0]
      if (!tab) throw new Error('no tab')
      const row = forms.get(tab)
      const act = random.weighted({ form: 40, network: 8, line: 5, wait: 20 })
      if (act === 'network') {
        device.onLine = !device.onLine
        tabs.forEach((each) => void each.outbox.drain())
      } else if (act === 'line') line.isUp = !line.isUp
      else if (act === 'wait') await vi.advanceTimersByTimeAsync(random.below(3_000))
      else if (row) {
        forms.delete(tab)
        void save(tab, row)
      } else {
        const [shown] = tab.shown()
        if (shown) forms.set(tab, shown)
      }
      await vi.advanceTimersByTimeAsync(random.below(40))
    }
    line.isUp = true
    line.isBad = false
    device.onLine = true
    for (const tab of tabs) void tab.outbox.drain({ force: true })
    await vi.advanceTimersByTimeAsync(200_000)

    // A conflict that nobody waited for stands in the list until it is answered.
    for (const { id: conflict, values, refusal } of await durable.read()) {
      if (!refusal?.current) continue
      compared.add(values['name'] ?? '')
      const { version } = refusal.current
      await Promise.all([
        tabs[0]?.outbox.retry(conflict, { version }),
        vi.advanceTimersByTimeAsync(5_000),
      ])
    }
    expect(await durable.read()).toEqual([])
    const texts = api.log.flatMap(({ values }) => values['name'] ?? [])
    counts.applied += texts.length
    counts.compared += compared.size

    /** Whether the text was written by somebody who saw the earlier one: under it, or beside it. */
    const isInformed = (text: string, earlier: string): boolean => {
      const under = saw.get(text)
      if (compared.has(text) || under === earlier) return true
      return under !== undefined && isInformed(under, earlier)
    }
    const blind = texts.slice(1).filter((text, index) => !isInformed(text, texts[index] ?? ''))
    expect(blind).toEqual([])
  },
)

test.skipIf(asked)('the histories had something to compare, and something to save', () => {
  expect(counts.compared).toBeGreaterThan(seeds.length)
  expect(counts.applied).toBeGreaterThan(5 * seeds.length)
})
