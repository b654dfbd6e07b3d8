import { describe, expect, test } from 'vitest'
import { contactNotices } from '#contract/messages/contact.ts'
import { problems } from '#contract/problem.ts'
import { sections } from '#contract/sections/index.ts'
import { membersOf, openApp, refusal } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'

const message = { name: 'Eva', email: 'eva@example.com', message: 'Hola' }
const waiting = { status: 503, code: 'mantenimiento' }

describe.each(engines)('on %s', (engine) => {
  test('a read-only site refuses every change until it is open again', async () => {
    const app = await openApp({ engine })
    await app.asOwner('PUT', 'config', { body: { maintenance_readonly: 'true' } })
    const writes = [
      ['PUT', 'person/update/1', { name: 'Ana' }],
      ...sections.flatMap((section) => [
        ['POST', `${section.key}/create`, completeValues(section)],
        ['PUT', `${section.key}/update/1`, { name: 'X' }],
        ['DELETE', `${section.key}/delete/1`, undefined],
      ]),
    ] as const
    for (const [method, path, body] of writes) {
      const refused = await app.asOwner(method as string, path as string, { body })
      expect([path, refusal(refused)]).toEqual([path, waiting])
      expect(refused.headers.get('retry-after')).toBe('60')
    }
    const person = membersOf(await app.call('GET', 'person/detail/1'))
    expect(person['name']).toBe('')
    await app.asOwner('PUT', 'config', { body: { maintenance_readonly: 'false' } })
    expect((await app.asOwner('PUT', 'person/update/1', { body: { name: 'Ana' } })).status).toBe(
      200,
    )
  })
})

test('a picture and a message wait too, and the message says why', async () => {
  const app = await openApp()
  await app.asOwner('PUT', 'config', { body: { maintenance_readonly: 'true' } })
  const picture = { raw: new Uint8Array([1]), headers: { 'content-type': 'image/png' } }
  const upload = await app.asOwner('PUT', 'image/Project?name=New/project_1', picture)
  expect(refusal(upload)).toEqual(waiting)
  const refused = await app.call('POST', 'contact', { body: message })
  expect(refusal(refused)).toEqual(waiting)
  expect(membersOf(refused)['mensaje']).toBe(problems.mantenimiento[2])
  await app.asOwner('PUT', 'config', { body: { maintenance_readonly: 'false' } })
  const sent = await app.call('POST', 'contact', { body: message })
  expect(membersOf(sent)['mensaje']).toBe(contactNotices.sent)
})
