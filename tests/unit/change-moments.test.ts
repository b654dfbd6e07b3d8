import { expect, test } from 'vitest'
import { changedHere, type Operation, type Refusal } from '#client/outbox/operation.ts'
import { momentsOf, otherMoment } from '#client/owner/changes/change-moments.ts'

/** On this device's calendar. */
const at = (day: number, hour: number, minute: number) =>
  new Date(2031, 2, day, hour, minute).toISOString()
const now = new Date(2031, 2, 21, 12, 0).getTime()

function refusal(changed?: NonNullable<Refusal['current']>['changed'], code = 'version-cambiada') {
  return { code, reason: '', current: { version: 2, fields: {}, ...(changed && { changed }) } }
}

test.each([
  [
    'with its device',
    { at: at(21, 10, 40), device: 'Safari en iPhone' },
    'hoy, 10:40, en «Safari en iPhone»',
  ],
  ['from a session that named none', { at: at(20, 3, 10) }, 'ayer, 03:10'],
  ['from long ago', { at: at(1, 3, 10) }, '1 de marzo de 2031, 03:10'],
])('the other version is told %s', (_, changed, when) => {
  expect(otherMoment(refusal(changed), now)).toBe(`El otro: ${when}`)
})

test('another form of this device is told as this device', () => {
  const here = refusal({ at: at(21, 9, 5) }, changedHere)
  expect(otherMoment(here, now)).toBe('El otro: hoy, 09:05, en este dispositivo')
})

test('both versions of a queued conflict are told, or the own one alone where the other is not known', () => {
  const operation: Operation = {
    id: 'op',
    subject: { on: 'person' },
    verb: 'update',
    values: {},
    label: '',
    madeAt: at(21, 10, 31),
    tries: 1,
  }
  const known = refusal({ at: at(21, 10, 40), device: 'Chrome en Android' })
  expect(momentsOf({ ...operation, refusal: known }, now)).toBe(
    'Tu cambio: hoy, 10:31 · El otro: hoy, 10:40, en «Chrome en Android»',
  )
  expect(momentsOf({ ...operation, refusal: refusal() }, now)).toBe('Tu cambio: hoy, 10:31')
})
