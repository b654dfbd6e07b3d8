import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { followCache } from '#client/offline/persist.ts'
import { entriesQuery, latestQuery, personQuery, settingsQuery } from '#client/data/queries.ts'
import { loggedOut, setSession } from '#client/data/session.ts'
import { adminRole } from '#contract/access/session.ts'
import { sections } from '#contract/sections/index.ts'
import { project } from '#contract/sections/project.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { experience } from '#contract/sections/experience.ts'

const person = { version: 1, fields: { name: 'Lucía' } }

function memoryCopy(start: string | null = null) {
  let value = start
  return {
    getItem: () => value,
    setItem: (_: string, next: string) => void (value = next),
    removeItem: () => void (value = null),
  }
}

/** The copy after a visit whose cache was filled by `fill`. */
async function copyOf(fill: (client: QueryClient) => void | Promise<void>) {
  vi.useFakeTimers()
  try {
    const client = new QueryClient()
    const copy = memoryCopy()
    const stop = await followCache(client, copy)
    await fill(client)
    await vi.runAllTimersAsync()
    stop()
    return copy.getItem()
  } finally {
    vi.useRealTimers()
  }
}

const noAnswer = () => Promise.reject(new Error('no answer'))

/** The profile that a new visit finds in the copy. */
async function found(copy: string): Promise<unknown> {
  const client = new QueryClient()
  await followCache(client, memoryCopy(copy))
  return client.getQueryData(personQuery.queryKey)
}

test('a new visit finds what the last one read, as something to ask about again', async () => {
  const kept = await copyOf((client) => void client.setQueryData(personQuery.queryKey, person))
  const client = new QueryClient()
  await followCache(client, memoryCopy(kept))
  expect(client.getQueryData(personQuery.queryKey)).toEqual(person)
  expect(client.getQueryState(personQuery.queryKey)?.isInvalidated).toBe(true)
})

test('a list that is only asked for so far is found in the copy', async () => {
  const kept = await copyOf((client) => void client.setQueryData(personQuery.queryKey, person))
  const client = new QueryClient()
  client.getQueryCache().build(client, { queryKey: personQuery.queryKey })
  await followCache(client, memoryCopy(kept))
  expect(client.getQueryData(personQuery.queryKey)).toEqual(person)
})

test('what the page was drawn from is kept although nothing changed since', async () => {
  vi.useFakeTimers()
  const client = new QueryClient()
  client.setQueryData(personQuery.queryKey, person)
  const copy = memoryCopy()
  await followCache(client, copy)
  await vi.runAllTimersAsync()
  vi.useRealTimers()
  expect(copy.getItem()).toContain('Lucía')
})

test('the page’s own data wins over the copy', async () => {
  const kept = await copyOf((client) => void client.setQueryData(personQuery.queryKey, person))
  const client = new QueryClient()
  const drawn = { version: 2, fields: { name: 'Ana' } }
  client.setQueryData(personQuery.queryKey, drawn, { updatedAt: 1 })
  await followCache(client, memoryCopy(kept))
  expect(client.getQueryData(personQuery.queryKey)).toEqual(drawn)
  expect(client.getQueryState(personQuery.queryKey)?.isInvalidated).toBe(false)
})

test('what an old page brought along gives way to a newer copy, never to an older one', async () => {
  const kept = await copyOf((client) => void client.setQueryData(personQuery.queryKey, person))
  const drawn = { version: 2, fields: { name: 'Ana' } }
  for (const [updatedAt, shown] of [
    [1, person],
    [Date.now() + 60_000, drawn],
  ] as const) {
    const client = new QueryClient()
    client.setQueryData(personQuery.queryKey, drawn, { updatedAt })
    await client.invalidateQueries()
    await followCache(client, memoryCopy(kept))
    expect(client.getQueryData(personQuery.queryKey)).toEqual(shown)
  }
})

const shownKeys = sections.filter(({ startsOff }) => startsOff).map(({ key }) => key)
const allShown = { ...defaultSettings, sections_shown: shownKeys.join() }

test('what its owner reads of a section that visitors have not is kept as long as she is signed in', async () => {
  const { queryKey } = entriesQuery(project)
  const isKept = (kept: string | null) => kept?.includes(JSON.stringify(queryKey))
  const fill = (client: QueryClient) => {
    client.setQueryData(settingsQuery.queryKey, { ...allShown, sections_hidden: project.key })
    client.setQueryData(queryKey, [])
    client.setQueryData(latestQuery(project).queryKey, null)
  }
  setSession({ ...loggedOut, token: 'abc', roles: [adminRole] })
  const kept = await copyOf(fill)
  expect(isKept(kept)).toBe(true)
  setSession(loggedOut)
  const copy = memoryCopy(kept)
  await followCache(new QueryClient(), copy)
  await expect.poll(() => isKept(copy.getItem())).toBe(false)
})

test('a tab that still holds what she hides writes none of it once its session has ended', async () => {
  vi.useFakeTimers()
  try {
    const { queryKey } = entriesQuery(project)
    const client = new QueryClient()
    const copy = memoryCopy()
    setSession({ ...loggedOut, token: 'abc', roles: [adminRole] })
    client.setQueryData(settingsQuery.queryKey, { ...allShown, sections_hidden: project.key })
    const stop = await followCache(client, copy)
    const read = (name: string) =>
      client.setQueryData(queryKey, [{ id: '1', version: 1, fields: { name } }])
    read('Secreto')
    await vi.runAllTimersAsync()
    expect(copy.getItem()).toContain('Secreto')
    setSession(loggedOut)
    read('Secreto, más tarde')
    await vi.runAllTimersAsync()
    expect(copy.getItem()).not.toContain('Secreto')
    stop()
  } finally {
    vi.useRealTimers()
  }
})

test('a page without content is given nothing of a section that the copy says is hidden', async () => {
  const { queryKey } = entriesQuery(project)
  setSession({ ...loggedOut, token: 'abc', roles: [adminRole] })
  const kept = await copyOf((client) => {
    client.setQueryData(settingsQuery.queryKey, { ...allShown, sections_hidden: project.key })
    client.setQueryData(queryKey, [{ id: '1', version: 1, fields: { name: 'Secreto' } }])
  })
  expect(kept).toContain('Secreto')
  setSession(loggedOut)
  const client = new QueryClient()
  await followCache(client, memoryCopy(kept))
  expect(client.getQueryData(queryKey)).toBeUndefined()
})

test('every public read is kept and nothing else', async () => {
  const publicKeys = [
    personQuery,
    settingsQuery,
    ...sections.flatMap((section) => [entriesQuery(section), latestQuery(section)]),
  ].map(({ queryKey }): QueryKey => queryKey)
  const kept = await copyOf((client) => {
    for (const queryKey of publicKeys) client.setQueryData(queryKey, 'public')
    client.setQueryData(settingsQuery.queryKey, allShown)
    for (const queryKey of [['messages'], ['entries', 'drafts'], ['person', 'secret'], ['session']])
      client.setQueryData(queryKey, 'private')
  })
  const { clientState } = JSON.parse(kept ?? '') as {
    clientState: { queries: { queryKey: unknown }[] }
  }
  expect(clientState.queries.map(({ queryKey }) => queryKey)).toEqual(publicKeys)
  expect(kept).not.toContain('private')
})

test('a private query in a copy of another hand is not read back', async () => {
  const kept = await copyOf((client) => void client.setQueryData(personQuery.queryKey, person))
  const forged = (kept ?? '').replaceAll('"person"', '"messages"').replace('[\\"person\\"]', '')
  const client = new QueryClient()
  await followCache(client, memoryCopy(forged))
  expect(client.getQueryCache().getAll()).toEqual([])
})

test('data whose last refresh failed is kept and comes back as data', async () => {
  const { queryKey } = entriesQuery(experience)
  const kept = await copyOf(async (client) => {
    client.setQueryData(queryKey, [])
    await client.query({ queryKey, queryFn: noAnswer, retry: false }).catch(() => undefined)
  })
  const client = new QueryClient()
  await followCache(client, memoryCopy(kept))
  expect(client.getQueryState(queryKey)).toMatchObject({ status: 'success', data: [], error: null })
})

test('a copy of another shape or over 90 days old is thrown away', async () => {
  const kept = await copyOf((client) => void client.setQueryData(personQuery.queryKey, person))
  const day = 24 * 60 * 60 * 1000
  const aged = (days: number) =>
    JSON.stringify({ ...JSON.parse(kept ?? ''), timestamp: Date.now() - days * day })
  const other = JSON.stringify({ ...JSON.parse(kept ?? ''), buster: 'other' })
  expect(await found(other)).toBeUndefined()
  expect(await found(aged(91))).toBeUndefined()
  expect(await found(aged(89))).toEqual(person)
})

test('what has left a list is not kept as its latest entry either', async () => {
  const [one, two] = ['Uno', 'Dos'].map((name) => ({ id: name, version: 1, fields: { name } }))
  if (!one || !two) throw new Error('two entries')
  const { queryKey } = entriesQuery(experience)
  const kept = await copyOf((client) => {
    client.setQueryData(queryKey, [one, two])
    client.setQueryData(latestQuery(experience).queryKey, two)
    client.setQueryData(queryKey, [one])
  })
  expect([kept?.includes('Uno'), kept?.includes('Dos')]).toEqual([true, false])
})
