import { afterEach, expect, test } from 'vitest'
import { contactNotices } from '#contract/messages/contact.ts'
import { personNotices } from '#contract/texts/person.ts'
import { project } from '#contract/sections/project.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { queueNotices } from '#client/outbox/queue-notices.ts'
import { pageNotices } from '#client/ui/notices.ts'

afterEach(() => {
  for (const { id } of pageNotices.get()) pageNotices.close(id, false)
})

const operation = (change: Pick<Operation, 'subject'> & Partial<Operation>): Operation => ({
  id: 'op',
  verb: 'update',
  values: {},
  label: '',
  madeAt: '2031-03-01T10:00:00.000Z',
  tries: 1,
  ...change,
})
const setting = (...names: string[]) =>
  operation({
    subject: { on: 'settings' },
    values: Object.fromEntries(names.map((name) => [name, ''])),
  })
const message = (id: string) => operation({ subject: { on: 'message', id }, verb: 'create' })
const person = operation({ subject: { on: 'person' } })
const removal = operation({
  subject: { on: 'entry', section: project.key, id: 'e' },
  verb: 'remove',
})

test.each([
  ['a setting', [setting('location_text')], ['Ajuste «Ubicación» guardado.']],
  ['settings', [setting('location_text', 'age_text')], ['Ajustes guardados.']],
  ['the profile', [person], [personNotices.updated]],
  ['a removal', [removal], [noticesOf(project).deleted]],
  ['two changes', [person, removal], ['Se publicaron 2 cambios.']],
  ['a message', [message('a')], [contactNotices.sent]],
  ['two messages', [message('a'), message('b')], ['Se enviaron 2 mensajes.']],
  ['a message and a change', [message('a'), person], [contactNotices.sent, personNotices.updated]],
])('%s that had to wait is told in its own words', async (_, operations, texts) => {
  queueNotices.delivered(operations)
  await expect.poll(() => pageNotices.get().map(({ text }) => text)).toEqual(texts)
})
