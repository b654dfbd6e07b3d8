import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hiddenCall, type SentHiddenEntry } from '#contract/entries/hidden.ts'
import { project } from '#contract/sections/project.ts'
import type { Entry } from '#contract/sections/section.ts'
import { createQueryClient } from '#client/data/query-client.ts'
import { entriesQuery, readSiteFromApi } from '#client/data/queries.ts'
import { changeEntries, storedEntries } from '#client/outbox/hidden-entries.ts'
import { hiddenQuery, keepUntilHiddenIsRead } from '#client/owner/editor/hidden-query.ts'
import { logIn } from '#client/session/session-change.ts'
import { ownAnswer } from '#tests/support/answers.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

/*
 * The list that everybody reads and the hidden entries are two readings. Whichever comes first, an entry that goes from the one
 * to the other is never in neither.
 */

const { key } = project
const sent = (name: string, version = 1) => ({ id: 'ABC'.indexOf(name) + 1, version, name })
const sentHidden = (name: string, version = 1): SentHiddenEntry => ({
  section: key,
  behind: ['1'],
  entry: { ...sent(name, version), hidden: 'true' },
})

/** What the server has now. */
interface Held {
  readonly list: readonly unknown[]
  readonly hidden: readonly SentHiddenEntry[]
}

/** A page of the owner that has read what the server had, and notes all that it shows from then on. */
async function pageOf(first: Held, hasReadHidden = true) {
  let held = first
  const asked = vi.fn<(path: string) => void>()
  let wait = Promise.resolve()
  vi.stubGlobal('fetch', async (path: string) => {
    const isHidden = path.endsWith(hiddenCall)
    asked(isHidden ? 'hidden' : 'list')
    const { list, hidden } = held
    if (isHidden === (slow === 'hidden')) await wait
    return ownAnswer(isHidden ? hidden : list)
  })
  let slow = 'neither'
  const client = createQueryClient(readSiteFromApi)
  keepUntilHiddenIsRead(client)
  await client.query(entriesQuery(project))
  if (hasReadHidden) await client.query(hiddenQuery)
  const shown = () =>
    storedEntries(client, project).map(({ version, fields }) => `${fields['name']}${version}`)
  const seen = new Set([shown().join(' ')])
  client.getQueryCache().subscribe(() => void seen.add(shown().join(' ')))
  const read = () =>
    Promise.all(
      [entriesQuery(project), hiddenQuery].map(({ queryKey }) =>
        client.refetchQueries({ queryKey, type: 'all' }, { throwOnError: true }),
      ),
    )
  return {
    client,
    seen,
    asked,
    /** Reads what the server has from now on, the one of the two later. */
    rereads: async (next: Held, later: 'list' | 'hidden') => {
      held = next
      slow = later
      const gate = Promise.withResolvers<void>()
      wait = gate.promise
      if (!hasReadHidden) void client.query(hiddenQuery)
      const reading = read()
      await new Promise((resolve) => setTimeout(resolve, 20))
      slow = 'neither'
      gate.resolve()
      await reading
      await expect.poll(() => client.isFetching()).toBe(0)
    },
  }
}

beforeEach(() => {
  keepingDevice()
  const authorities = [{ authority: 'ROLE_ADMIN' }]
  logIn({ token: 'x'.repeat(43), userName: 'a@correo.net', authorities, account: 'a' })
})
afterEach(() => vi.unstubAllGlobals())

const seen = { list: [sent('A'), sent('B')], hidden: [] }
const unseen = { list: [sent('A')], hidden: [sentHidden('B', 2)] }

for (const later of ['list', 'hidden'] as const) {
  test(`what was just hidden stays on her page, the ${later} being read last`, async () => {
    const page = await pageOf(seen)
    await page.rereads(unseen, later)
    expect([...page.seen]).toEqual(['A1 B1', 'A1 B2'])
  })

  test(`what was just published stays on her page, the ${later} being read last`, async () => {
    const page = await pageOf(unseen)
    await page.rereads({ ...seen, list: [sent('A'), sent('B', 3)] }, later)
    expect([...page.seen]).toEqual(['A1 B2', 'A1 B3'])
  })

  test(`what was deleted elsewhere goes, the ${later} being read last`, async () => {
    const page = await pageOf({ list: seen.list, hidden: [sentHidden('C')] })
    await page.rereads({ list: [sent('A')], hidden: [sentHidden('C')] }, later)
    expect([...page.seen].at(-1)).toBe('A1 C1')
    await page.rereads({ list: [sent('A')], hidden: [] }, later)
    expect([...page.seen].at(-1)).toBe('A1')
    expect(page.asked.mock.calls.length).toBeLessThan(10)
  })
}

test('what was hidden elsewhere is never gone while her page reads its first hidden entries', async () => {
  const page = await pageOf(seen, false)
  await page.rereads(unseen, 'hidden')
  expect([...page.seen]).toEqual(['A1 B1', 'A1 B2'])
})

test('what her page keeps for a moment goes back into no list that the device keeps for everybody', async () => {
  const page = await pageOf(seen)
  const { client } = page
  const list = () => client.getQueryData(entriesQuery(project).queryKey)?.map(({ id }) => id)
  const renamed = (row: Entry): Entry => ({ ...row, version: 2 })
  let isChanged = false
  client.getQueryCache().subscribe(() => {
    // Once the list is read without it and the hidden entries are not read yet.
    if (isChanged || list()?.length !== 1 || !page.seen.has('A1 B1')) return
    isChanged = true
    changeEntries(client, project, (rows) =>
      rows.map((row) => (row.id === '1' ? renamed(row) : row)),
    )
  })
  await page.rereads(unseen, 'hidden')
  expect(isChanged).toBe(true)
  expect([...page.seen]).toEqual(['A1 B1', 'A2 B1', 'A2 B2'])
  expect(list()).toEqual(['1'])
})
