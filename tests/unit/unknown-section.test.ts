import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import type { Operation } from '#client/outbox/operation.ts'
import { queryKeyOf, showApplied } from '#client/outbox/show-applied.ts'
import { sendOperation } from '#client/outbox/send.ts'
import { operationStatusOf, titleOf } from '#client/owner/changes/describe-operation.ts'
import { differencesOf } from '#client/owner/changes/compare-versions.tsx'
import { itemsWith } from '#client/owner/settings/bin-list.ts'
import { ownRefusal } from '#tests/support/answers.ts'

/* A device may hold changes of a section that the version of the product before, or after, had: they wait for her word. */

const change: Operation = {
  id: 'op',
  subject: { on: 'entry', section: 'aviary', id: 'a' },
  verb: 'create',
  values: { name: 'Mirlo' },
  image: { field: 'image', name: 'mirlo.png' },
  label: 'Mirlo',
  madeAt: '2031-03-01T10:00:00.000Z',
  tries: 0,
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a change of a section that this version has not is refused by the server, not stuck here', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.stubGlobal('fetch', async () => ownRefusal('no-encontrado'))
  const picture = new Blob(['x'])
  const sending = { picture, onProgress: () => {}, keepAddress: async () => {} }
  await expect(sendOperation(change, sending)).resolves.toMatchObject({ is: 'refused' })
  expect(queryKeyOf(change)).toBeUndefined()
  await showApplied(new QueryClient(), change, {})
})

test('it stands in the list of changes by its name, with what it says', () => {
  const refusal = { code: 'no-encontrado', reason: 'No existe.' }
  const refused = { ...change, refusal }
  expect(titleOf(refused)).toBe('Mirlo')
  expect(operationStatusOf(refused, { operations: [refused] }).tone).toBe('bad')
  expect(differencesOf(change, {})).toMatchObject([{ name: 'name', mine: 'Mirlo' }])
  expect(itemsWith([{ ...change, verb: 'remove' }], [], () => [])).toEqual([])
})
