import { afterEach, expect, test, vi } from 'vitest'
import { formAgeHeader } from '#contract/api.ts'
import { sendMessage } from '#client/outbox/send-contact.ts'
import { ownAnswer } from '#tests/support/answers.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['on this page', { ageMs: 61_000.4, mark: 'm' }, '61000;m'],
  ['on an earlier page', { mark: 'm' }, ';m'],
  ['on an earlier page, without a connection', {}, ''],
])('a text written %s tells its age as far as it is known', async (_, ages, header) => {
  const ageHeaders: (string | null)[] = []
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('fetch', async (_url: string, { headers }: RequestInit) => {
    ageHeaders.push(new Headers(headers).get(formAgeHeader))
    return ownAnswer({}, { status: 201 })
  })
  await sendMessage({ fields: { name: 'Ana' }, key: 'k', ...ages })
  expect(ageHeaders).toEqual([header])
})
