import { afterEach, expect, test, vi } from 'vitest'
import { onAnswer } from '#client/browser/answers.ts'
import { savedCopyHeader } from '#contract/api.ts'
import { project } from '#contract/sections/project.ts'
import { entriesQuery, latestQuery, readSiteFromApi } from '#client/data/queries.ts'
import { createQueryClient } from '#client/data/query-client.ts'
import { ownAnswer } from '#tests/support/answers.ts'

afterEach(() => vi.unstubAllGlobals())

const old = [{ id: '1', name: 'Vieja', version: 1 }]
const held = [{ id: '1', version: 2, fields: { name: 'Nueva' } }]

function answerFrom(where: 'server' | 'copy') {
  const headers = where === 'copy' ? { [savedCopyHeader]: '1' } : {}
  vi.stubGlobal('fetch', async () => ownAnswer(old, { headers }))
}

test('what a page was told since is not undone by the older copy of the device', async () => {
  const client = createQueryClient(readSiteFromApi)
  client.setQueryData(entriesQuery(project).queryKey, held)
  client.setQueryData(latestQuery(project).queryKey, null)
  answerFrom('copy')
  await client.refetchQueries({ type: 'all' })
  await client.query({ ...entriesQuery(project), staleTime: 0 })
  await client.query({ ...latestQuery(project), staleTime: 0 })
  expect(client.getQueryData(entriesQuery(project).queryKey)).toEqual(held)
  expect(client.getQueryData(latestQuery(project).queryKey)).toBeNull()
})

test('the server’s own answer and the copy of an empty page are taken', async () => {
  const client = createQueryClient(readSiteFromApi)
  answerFrom('copy')
  const fromCopy = await client.query(entriesQuery(project))
  expect(fromCopy[0]?.fields['name']).toBe('Vieja')
  client.setQueryData(entriesQuery(project).queryKey, held)
  answerFrom('server')
  const fromServer = await client.query({ ...entriesQuery(project), staleTime: 0 })
  expect(fromServer[0]?.version).toBe(1)
})

test('what stays because nothing answered for it is no answer of the server', async () => {
  const client = createQueryClient(readSiteFromApi)
  const noted: unknown[] = []
  onAnswer((...answer) => noted.push(answer))
  const read = () => client.query({ ...entriesQuery(project), staleTime: 0, retry: false })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no answer')))
  vi.spyOn(console, 'error').mockReturnValue()
  await expect(read()).rejects.toThrow('no answer')
  // Where nothing stands, the page says that nothing could be loaded.
  expect(noted).toEqual([])
  client.setQueryData(entriesQuery(project).queryKey, held)
  await expect(read()).rejects.toThrow('no answer')
  expect(noted).toEqual([[project.key, '']])
  answerFrom('server')
  await read()
  expect(noted.at(-1)).toEqual([project.key, null])
})
