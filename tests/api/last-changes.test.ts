import { describe, expect, test } from 'vitest'
import { project } from '#contract/sections/project.ts'
import { lastChange } from '#server/db/last-changes.ts'
import { membersOf, openApp, type CallAnswer } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { formValues } from '#tests/support/entries.ts'
import { onPhone } from '#tests/support/other-device.ts'

const changedIn = (refused: CallAnswer) =>
  (membersOf(refused)['current'] as { readonly changed?: unknown }).changed

describe.each(engines)('on %s', (engine) => {
  test('a conflict says when and on which device the other version was made', async () => {
    const app = await openApp({ engine })
    const phone = await onPhone(app)
    const { id } = membersOf(
      await phone('POST', `${project.key}/create`, { body: formValues(project, 'Cometa') }),
    )
    app.pass(60_000)
    const late = { 'if-match': '"v9"' }
    const things = [
      ['PUT', `${project.key}/update/${String(id)}`, { name: 'Brújula' }],
      ['PUT', 'person/update/1', { name: 'Eva' }],
      ['PUT', 'config/location_text', { location_text: 'Salta' }],
    ] as const
    for (const [method, path, body] of things) {
      const refused = await app.asOwner(method, path, { body, headers: late })
      expect(refused.status).toBe(412)
      const made = { at: '2031-03-01T10:00:00.000Z', device: 'Safari en iPhone' }
      // What nobody has changed yet was nobody's.
      expect(changedIn(refused)).toEqual(path.startsWith(project.key) ? made : undefined)
      expect((await phone(method, path, { body })).status).toBe(200)
      const again = await app.asOwner(method, path, { body, headers: late })
      expect(changedIn(again)).toEqual({ ...made, at: '2031-03-01T10:01:00.000Z' })
    }
    const removed = await app.asOwner('DELETE', `${project.key}/delete/${String(id)}`, {
      headers: late,
    })
    expect(changedIn(removed)).toMatchObject({ device: 'Safari en iPhone' })
  })

  test('nothing is known of what is gone, nor of what was refused', async () => {
    const app = await openApp({ engine })
    const { id } = membersOf(
      await app.asOwner('POST', `${project.key}/create`, { body: formValues(project, 'Cometa') }),
    )
    const thing = { kind: project.key, id: String(id) }
    const path = `${project.key}/update/${String(id)}`
    app.pass(60_000)
    const headers = { 'if-match': '"v9"' }
    await app.asOwner('PUT', path, { body: { name: 'Otra' }, headers })
    expect(await lastChange(app.db, thing)).toEqual({ at: '2031-03-01T10:00:00.000Z' })
    await app.asOwner('DELETE', `${project.key}/delete/${String(id)}`)
    expect(await lastChange(app.db, thing)).toBeUndefined()
  })

  test('visitors are told of no device', async () => {
    const app = await openApp({ engine })
    const phone = await onPhone(app)
    await phone('POST', `${project.key}/create`, { body: formValues(project, 'Cometa') })
    for (const path of [project.key, 'person', 'config']) {
      expect(JSON.stringify((await app.call('GET', path)).json)).not.toMatch(/iPhone|changed/)
    }
  })
})
