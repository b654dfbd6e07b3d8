import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arranged, mostOrdered } from '#contract/entries/order.ts'
import { project } from '#contract/sections/project.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { briefOrder } from '#client/owner/changes/brief-order.ts'
import { membersOf, openApp, type TestApp } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { startSite } from '#tests/support/listener.ts'

const { key } = project

/** Adds entries of these names; resolves to their ids by name. */
async function fill(app: TestApp, names: string, section: Section = project) {
  const ids: Record<string, string> = {}
  for (const name of names) {
    const body = completeValues(section, { name })
    const made = await app.asOwner('POST', `${section.key}/create`, { body })
    ids[name] = String(membersOf(made)['id'])
  }
  const of = (some: string) => Array.from(some, (name) => ids[name] ?? '')
  const order = (wanted: string, moved: string) =>
    app.asOwner('PUT', `${section.key}/order`, { body: { order: of(wanted), moved: of(moved) } })
  return { ids, of, order }
}

const namesOf = async (app: TestApp, section: Section = project) =>
  ((await app.call('GET', section.key)).json as readonly { name: string }[])
    .map(({ name }) => name)
    .join('')

describe.each(engines)('on %s', (engine) => {
  test.each(sections)('$key keeps the order that she gives it', async (section) => {
    const app = await openApp({ engine, everySection: true })
    const { of, order } = await fill(app, 'ABCDE', section)
    const before = (await app.call('GET', section.key)).headers.get('etag')
    const answer = await order('EABDC', 'EC')
    expect([answer.status, membersOf(answer)['order']]).toEqual([200, of('EABDC')])
    const after = await app.call('GET', section.key)
    expect(after.headers.get('etag')).not.toBe(before)
    expect(await namesOf(app, section)).toBe('EABDC')
  })

  test('orders made apart on two devices both hold, and end the same whichever comes first', async () => {
    const ends = []
    const [one, two] = [
      ['EABCD', 'E'],
      ['ACBDE', 'C'],
    ] as const
    for (const turns of [
      [one, two],
      [two, one],
    ]) {
      const app = await openApp({ engine })
      const { order } = await fill(app, 'ABCDE')
      for (const [wanted, moved] of turns) await order(wanted, moved)
      ends.push(await namesOf(app))
    }
    expect(ends).toEqual(['EACBD', 'EACBD'])
  })

  test('nothing is lost: not what came meanwhile, not what was deleted, nor a change that waits', async () => {
    const app = await openApp({ engine })
    const { ids, order } = await fill(app, 'ABCD')
    const { version } = membersOf(await app.call('GET', `${key}/detail/${ids['A'] ?? ''}`))
    await app.asOwner('DELETE', `${key}/delete/${ids['B'] ?? ''}`)
    await fill(app, 'N')
    await order('DABC', 'D')
    expect(await namesOf(app)).toBe('DACN')
    await app.asOwner('PUT', `${key}/restore/${ids['B'] ?? ''}`)
    expect((await namesOf(app)).length).toBe(5)
    const late = await app.asOwner('PUT', `${key}/update/${ids['A'] ?? ''}`, {
      body: { name: 'Z' },
      headers: { 'if-match': `"v${String(version)}"` },
    })
    expect(late.status).toBe(200)
  })

  test('the same key again orders once', async () => {
    const app = await openApp({ engine })
    const { of, order } = await fill(app, 'ABC')
    const call = {
      body: { order: of('CAB'), moved: of('C') },
      headers: { 'idempotency-key': 'k' },
    }
    await app.asOwner('PUT', `${key}/order`, call)
    await order('ABC', 'C')
    expect((await app.asOwner('PUT', `${key}/order`, call)).status).toBe(200)
    expect(await namesOf(app)).toBe('ABC')
  })
})

test('the résumé follows the order, and nobody but the owner gives one', async () => {
  const app = await openApp()
  const { of } = await fill(app, 'AB')
  const body = { order: of('BA'), moved: of('B') }
  expect((await app.call('PUT', `${key}/order`, { body })).status).toBe(401)
  expect(await namesOf(app)).toBe('AB')
  const { url } = await startSite(app.services, async () => ({ status: 200, app: '', state: '' }))
  const told = async () => {
    const { projects } = (await (await fetch(`${url}/resume.json`)).json()) as {
      readonly projects: readonly { readonly name: string }[]
    }
    return projects.map(({ name }) => name)
  }
  const before = await told()
  // Through the server, which then tells anew.
  await fetch(`${url}/api/${key}/order`, {
    method: 'PUT',
    headers: { authorization: `Bearer${app.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(await told()).toEqual(before.toReversed())
})

test.each([
  ['nothing', {}],
  ['a text', { order: 'A', moved: [] }],
  ['numbers', { order: [1], moved: [] }],
  ['what is no id', { order: [], moved: ['../x'] }],
  ['too many', { order: Array.from({ length: 1001 }, (_, n) => String(n + 1)), moved: [] }],
])('%s is refused as an order', async (_, body) => {
  const app = await openApp()
  expect((await app.asOwner('PUT', `${key}/order`, { body })).status).toBe(422)
})

const rows = (ids: string) => Array.from(ids, (id) => ({ id }))
const arrange = (now: string, order: string, moved: string) =>
  arranged(rows(now), { order: Array.from(order), moved: Array.from(moved) })
    .map(({ id }) => id)
    .join('')

test('what was moved stands behind the nearest that is still there, whatever became of the others', () => {
  expect(arrange('ABCD', 'BCAD', 'A')).toBe('BCAD')
  expect(arrange('ABD', 'BCAD', 'A')).toBe('BAD')
  expect(arrange('ABCD', 'DCBA', 'DCB')).toBe('DCBA')
  expect(arrange('ABCN', 'CAB', 'C')).toBe('CABN')
  expect(arrange('NABC', 'ABC', '')).toBe('NABC')
  expect(arrange('ABC', 'XAAB', 'XA')).toBe('ABC')
  expect(arrange('', 'AB', 'A')).toBe('')
})

test('an order of thousands names what was moved and what that stands behind, and comes to the same', () => {
  const many = 5_000
  const ids = Array.from({ length: many }, (_, n) => String(n + 1))
  const everyRow = ids.map((id) => ({ id }))
  const place = fc.nat({ max: many - 1 })
  fc.assert(
    fc.property(fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 40 }), (moves) => {
      const order = [...ids]
      const touched = moves.flatMap(([from, to]) => {
        const taken = order.splice(from, 1)
        order.splice(to, 0, ...taken)
        return taken
      })
      const moved = [...new Set(touched)]
      const brief = briefOrder({ order, moved })
      expect(brief.order.length).toBeLessThanOrEqual(mostOrdered)
      expect(arranged(everyRow, brief)).toEqual(arranged(everyRow, { order, moved }))
    }),
  )
  const short = { order: ids.slice(0, mostOrdered), moved: ['1'] }
  expect(briefOrder(short)).toEqual(short)
})
