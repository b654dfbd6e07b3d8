import { describe, expect, test } from 'vitest'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { settingTag } from '#contract/settings/tag.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { valueErrors } from '#contract/texts/value-errors.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { membersOf, openApp, refusal } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'

describe.each(engines)('on %s', (engine) => {
  test('the owner writes some settings, everybody reads all of them', async () => {
    const { asOwner, call } = await openApp({ engine })
    expect((await call('GET', 'config')).json).toEqual(defaultSettings)
    const body = { age_text: ' 31 ', contact_enabled: 'false', made_up: 'x' }
    const written = await asOwner('PUT', 'config', { body })
    const values = { ...defaultSettings, age_text: '31', contact_enabled: 'false' }
    expect([written.status, written.json]).toEqual([200, { ...values, mensaje: ownerTexts.saved }])
    await asOwner('PUT', 'config', { body: { default_theme: 'light' } })
    expect((await call('GET', 'config')).json).toEqual({ ...values, default_theme: 'light' })
  })
})

describe.each(engines)('on %s', (engine) => {
  test('a value set to its default is not kept, and all of them can go back', async () => {
    const { asOwner, call, db } = await openApp({ engine })
    const own = { age_text: '31', typing_color_dark: '#AABBCC', max_image_mb: '2' }
    await asOwner('PUT', 'config', { body: { ...own, contact_enabled: 'true' } })
    const keys = async () =>
      (await db.selectFrom('setting').select('key').orderBy('key').execute()).map(({ key }) => key)
    expect(await keys()).toEqual(['age_text', 'max_image_mb', 'typing_color_dark'])
    await asOwner('PUT', 'config', { body: { age_text: '', max_image_mb: '10' } })
    expect(await keys()).toEqual(['typing_color_dark'])
    const values = { ...defaultSettings, typing_color_dark: 'aabbcc' }
    expect((await call('GET', 'config')).json).toEqual(values)
  })
})

test('one refused value keeps the others from being written', async () => {
  const { asOwner, call } = await openApp()
  const body = {
    age_text: '31',
    email: 'nadie',
    github_url: 'javascript:alert(1)',
    contact_enabled: 'maybe',
    default_theme: '',
    banner_text: 'x'.repeat(501),
    location_text: 7,
  }
  const refused = await asOwner('PUT', 'config', { body })
  expect(refused.status).toBe(422)
  expect(membersOf(refused)['errors']).toEqual([
    { pointer: '/location_text', mensaje: valueErrors.setting },
    { pointer: '/email', mensaje: fieldErrors.email },
    { pointer: '/github_url', mensaje: fieldErrors.url },
    { pointer: '/default_theme', mensaje: valueErrors.setting },
    { pointer: '/banner_text', mensaje: fieldErrors.tooLong.replace('{n}', '500') },
    { pointer: '/contact_enabled', mensaje: valueErrors.setting },
  ])
  expect((await call('GET', 'config')).json).toEqual(defaultSettings)
})

test('settings may be kept, and are asked about each time', async () => {
  const { asOwner, call } = await openApp()
  const { headers } = await call('GET', 'config')
  expect(headers.get('cache-control')).toBe('public, no-cache')
  const held = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
  expect((await call('GET', 'config', held)).status).toBe(304)
  await asOwner('PUT', 'config', { body: { age_text: '31' } })
  expect((await call('GET', 'config', held)).json).toMatchObject({ age_text: '31' })
})

test('a setting that is no text is refused', async () => {
  const { asOwner } = await openApp()
  for (const value of [null, true, ['a'], { a: 1 }, 'a\u0000b', '\ud83d']) {
    const refused = await asOwner('PUT', 'config', { body: { age_text: value } })
    expect(refusal(refused)).toEqual({
      status: 422,
      code: 'datos-no-validos',
      fields: ['/age_text'],
    })
  }
})

describe.each(engines)('one setting on %s', (engine) => {
  test('is written in place of the value that was named, and refused with the present one in place of another', async () => {
    const { asOwner, call } = await openApp({ engine })
    const put = (key: string, value: unknown, seen?: string) =>
      asOwner('PUT', `config/${key}`, {
        body: { [key]: value },
        ...(seen !== undefined && { headers: { 'if-match': settingTag(seen) } }),
      })
    const written = await put('location_text', ' Río «Cuarto» 50 % ', '')
    expect([written.status, written.json]).toEqual([
      200,
      { location_text: 'Río «Cuarto» 50 %', mensaje: ownerTexts.saved },
    ])
    expect(written.headers.get('etag')).toBe(settingTag('Río «Cuarto» 50 %'))
    const late = await put('location_text', 'Salta', '')
    expect(refusal(late)).toEqual({ status: 412, code: 'version-cambiada' })
    const changed = { at: '2031-03-01T10:00:00.000Z' }
    expect(membersOf(late)['current']).toEqual({ location_text: 'Río «Cuarto» 50 %', changed })
    expect(late.headers.get('etag')).toBe(settingTag('Río «Cuarto» 50 %'))
    // Another setting is nobody's conflict, and no condition is none.
    expect((await put('age_text', '31', '')).status).toBe(200)
    expect((await put('location_text', 'Salta', 'Río «Cuarto» 50 %')).status).toBe(200)
    expect((await put('location_text', 'Jujuy')).status).toBe(200)
    const all = (await call('GET', 'config')).json
    expect(all).toEqual({ ...defaultSettings, age_text: '31', location_text: 'Jujuy' })
  })

  test('chosen on two devices in the same moment is taken from one of them', async () => {
    const { asOwner } = await openApp({ engine })
    const answers = await Promise.all(
      ['Salta', 'Jujuy', 'Mendoza', 'Neuquén'].map((city) =>
        asOwner('PUT', 'config/location_text', {
          body: { location_text: city },
          headers: { 'if-match': settingTag('') },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 412, 412, 412,
    ])
  })
})

test('one setting is read with the tag to change it by', async () => {
  const { asOwner, call } = await openApp()
  const read = await call('GET', 'config/contact_enabled')
  expect([read.json, read.headers.get('etag')]).toEqual([
    { contact_enabled: 'true' },
    settingTag('true'),
  ])
  const held = { headers: { 'if-none-match': settingTag('true') } }
  expect((await call('GET', 'config/contact_enabled', held)).status).toBe(304)
  expect(refusal(await call('GET', 'config/made_up'))).toEqual({
    status: 404,
    code: 'no-encontrado',
  })
  const body = { email: 'nadie', age_text: '31' }
  expect(refusal(await asOwner('PUT', 'config/email', { body }))).toEqual({
    status: 422,
    code: 'datos-no-validos',
    fields: ['/email'],
  })
  expect((await call('PUT', 'config/email', { body: { email: 'a@b.co' } })).status).toBe(401)
})

test('the tag of the longest and strangest value fits into a header', async () => {
  const { asOwner } = await openApp()
  const value = '🗼'.repeat(500)
  await asOwner('PUT', 'config', { body: { banner_text: value } })
  const answer = await asOwner('PUT', 'config/banner_text', {
    body: { banner_text: 'Corto' },
    headers: { 'if-match': settingTag(value) },
  })
  expect(answer.status).toBe(200)
})
