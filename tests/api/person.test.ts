import { describe, expect, test } from 'vitest'
import { personNotices } from '#contract/texts/person.ts'
import { membersOf, openApp, refusal } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'

const profile = {
  name: 'Ana',
  lastname: 'García',
  title: 'Editora',
  description: 'Uno\n\nDos',
  image: '',
}

describe.each(engines)('on %s', (engine) => {
  test('the profile is a list of one and a detail', async () => {
    const { asOwner, call } = await openApp({ engine })
    const changed = await asOwner('PUT', 'person/update/1', { body: profile })
    const person = { id: 1, ...profile, version: 2 }
    expect([changed.status, changed.json]).toEqual([
      200,
      { ...person, mensaje: personNotices.updated },
    ])
    expect(changed.headers.get('etag')).toBe('"v2"')
    expect((await call('GET', 'person')).json).toEqual([person])
    expect((await call('GET', 'person/detail/1')).json).toEqual(person)
  })

  test('its two forms do not overwrite each other', async () => {
    const { asOwner, call } = await openApp({ engine })
    await asOwner('PUT', 'person/update/1', { body: profile })
    await asOwner('PUT', 'person/update/1', {
      body: { name: 'Eva', lastname: 'García', title: 'Jefa' },
    })
    await asOwner('PUT', 'person/update/1', {
      body: { description: 'Tres', image: '/media/a.webp' },
    })
    const expected = {
      name: 'Eva',
      title: 'Jefa',
      description: 'Tres',
      image: '/media/a.webp',
      version: 4,
    }
    expect((await call('GET', 'person/detail/1')).json).toMatchObject(expected)
  })

  test('a change at an old version is answered with the current profile', async () => {
    const { asOwner } = await openApp({ engine })
    await asOwner('PUT', 'person/update/1', { body: profile })
    const headers = { 'if-match': '"v1"' }
    const refused = await asOwner('PUT', 'person/update/1', { body: { name: 'Eva' }, headers })
    expect(refused.status).toBe(412)
    expect(membersOf(refused)['current']).toEqual({
      id: 1,
      ...profile,
      version: 2,
      changed: { at: '2031-03-01T10:00:00.000Z' },
    })
  })
})

test('its texts are required, its picture is not', async () => {
  const { asOwner } = await openApp()
  const body = { name: ' ', lastname: '', title: '\u200b', description: '\n', image: '' }
  expect(refusal(await asOwner('PUT', 'person/update/1', { body }))).toEqual({
    status: 422,
    code: 'datos-no-validos',
    fields: ['/name', '/lastname', '/title', '/description'],
  })
})

test.each([
  '',
  '/media/0a1b.640x480.webp',
  '/sample/perfil.640x800.svg',
  '/media/Person/New/perfil_1',
  'https://firebasestorage.googleapis.com/v0/b/x/o/a%2Fb?alt=media&token=1',
])('its picture may be %j', async (image) => {
  const { asOwner } = await openApp()
  const answer = await asOwner('PUT', 'person/update/1', { body: { image } })
  expect(membersOf(answer)['image']).toBe(image)
})

test.each([
  'javascript:alert(1)',
  'data:image/svg+xml,<svg/>',
  'file:///etc/passwd',
  'blob:https://a.example/1',
  '//evil.example/a.webp',
  '/\\evil.example/a.webp',
  '/media/../../a',
  '/media/a b',
  'evil.example/a.webp',
  'a.webp',
])('its picture is never %j', async (image) => {
  const { asOwner, call } = await openApp()
  const refused = await asOwner('PUT', 'person/update/1', { body: { image } })
  expect(refusal(refused)).toEqual({ status: 422, code: 'datos-no-validos', fields: ['/image'] })
  expect(membersOf(await call('GET', 'person/detail/1'))['image']).toBe('')
})

test('an unchanged profile is not sent again', async () => {
  const { asOwner, call } = await openApp()
  for (const path of ['person', 'person/detail/1']) {
    const tag = (await call('GET', path)).headers.get('etag') ?? ''
    expect((await call('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(304)
    await asOwner('PUT', 'person/update/1', { body: { name: path } })
    expect((await call('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(200)
  }
})

test.each(['0', '2', '01', '-1', '1.0', '%31%00', 'x'])('there is no profile %s', async (id) => {
  const { asOwner, call } = await openApp()
  expect((await call('GET', `person/detail/${id}`)).status).toBe(404)
  expect((await asOwner('PUT', `person/update/${id}`, { body: { name: 'Eva' } })).status).toBe(404)
  expect((await call('GET', 'person/detail/1')).json).toMatchObject({ name: '', version: 1 })
})
