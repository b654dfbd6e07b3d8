import { describe, expect, test } from 'vitest'
import { defaultSettings } from '#contract/setting-defaults.ts'
import { fieldErrors } from '#contract/texts.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
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
    { pointer: '/location_text', mensaje: fieldErrors.setting },
    { pointer: '/email', mensaje: fieldErrors.email },
    { pointer: '/github_url', mensaje: fieldErrors.url },
    { pointer: '/default_theme', mensaje: fieldErrors.setting },
    { pointer: '/banner_text', mensaje: fieldErrors.tooLong.replace('{n}', '500') },
    { pointer: '/contact_enabled', mensaje: fieldErrors.setting },
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
