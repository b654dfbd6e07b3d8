import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { project } from '#contract/sections/project.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { binKey, showApplied } from '#client/outbox/show-applied.ts'
import { readAnew } from '#client/owner/calls/read-anew.ts'

const queryKey = binKey

/** A list that a page shows; each of its readings is answered by hand. */
function shownList() {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const answers: ((data: string) => void)[] = []
  const observer = new QueryObserver<string>(queryClient, {
    queryKey,
    queryFn: () => new Promise((resolve) => answers.push(resolve)),
  })
  onTestFinished(observer.subscribe(() => {}))
  return { queryClient, answers, data: () => observer.getCurrentResult().data }
}

test('a first answer that was asked for before a change does not stand for the one after it', async () => {
  const { queryClient, answers, data } = shownList()
  const read = readAnew(queryClient, queryKey)
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('after')
  await read
  answers[0]?.('before')
  expect(data()).toBe('after')
})

test('a later answer that was asked for before a change does not, either', async () => {
  const { queryClient, answers, data } = shownList()
  answers[0]?.('first')
  await expect.poll(data).toBe('first')
  const old = queryClient.refetchQueries({ queryKey })
  await expect.poll(() => answers.length).toBe(2)
  const read = readAnew(queryClient, queryKey)
  await expect.poll(() => answers.length).toBe(3)
  answers[2]?.('after')
  answers[1]?.('before')
  await Promise.all([old, read])
  expect(data()).toBe('after')
})

test('what was emptied while it was read does not come back when it is read anew', async () => {
  const { queryClient, answers, data } = shownList()
  answers[0]?.('hers')
  await expect.poll(data).toBe('hers')
  void queryClient.refetchQueries({ queryKey })
  await expect.poll(() => answers.length).toBe(2)
  const [query] = queryClient.getQueryCache().findAll({ queryKey })
  query?.setState({ data: undefined, error: new Error('ended'), status: 'error' })
  void readAnew(queryClient, queryKey)
  expect(data()).toBe(undefined)
})

test('the bin is asked for again after a removal, though its first answer is on the way', async () => {
  const { queryClient, answers, data } = shownList()
  const removal: Operation = {
    id: 'op',
    subject: { on: 'entry', section: project.key, id: '1' },
    verb: 'remove',
    values: {},
    label: '',
    madeAt: '2026-01-01T00:00:00.000Z',
    tries: 1,
  }
  await showApplied(queryClient, removal, {})
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('with the removed entry')
  answers[0]?.('without it')
  await expect.poll(data).toBe('with the removed entry')
})
