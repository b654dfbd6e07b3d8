import { describe, expect, test } from 'vitest'
import { calls } from '#contract/api.ts'
import { dayMs } from '#contract/durations.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { settingTag } from '#contract/settings/tag.ts'
import { settingsOf } from '#contract/settings/settings.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { valueErrors } from '#contract/texts/value-errors.ts'
import { membersOf, openApp, type AppOptions } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { startSite } from '#tests/support/listener.ts'

/* The age that follows from a birth date, and that nobody but the owner gets the date. The calls' clock begins on 2031-03-01. */

const birth = '1992-03-14'
const birthCall = `${calls.config}/birth_date`

async function openAged(options: AppOptions = {}) {
  const app = await openApp(options)
  const put = (value: string, headers: Readonly<Record<string, string>> = {}) =>
    app.asOwner('PUT', birthCall, { body: { birth_date: value }, headers })
  return { ...app, put }
}

describe.each(engines)('on %s', (engine) => {
  test('who sets a birth date gives everybody the age and nobody the date', async () => {
    const { asOwner, call, put } = await openAged({ engine })
    await asOwner('PUT', 'config', { body: { age_text: 'Treinta y tantos' } })
    const written = await put(birth)
    expect([written.status, written.json]).toEqual([
      200,
      { birth_date: birth, age_text: '38 años', mensaje: ownerTexts.saved },
    ])
    const shown = { ...defaultSettings, age_text: '38 años' }
    expect((await call('GET', calls.config)).json).toEqual(shown)
    expect((await asOwner('GET', calls.config)).json).toEqual(shown)
    expect((await call('GET', `${calls.config}/age_text`)).json).toEqual({ age_text: '38 años' })
    expect((await call('GET', birthCall)).status).toBe(401)
    const own = await asOwner('GET', birthCall)
    expect(own.json).toEqual({ birth_date: birth })
    expect(own.headers.get('cache-control')).toBe('private, no-store')
    expect((await put('')).json).toMatchObject({ birth_date: '', age_text: 'Treinta y tantos' })
    const back = (await call('GET', calls.config)).json
    expect(back).toEqual({ ...defaultSettings, age_text: 'Treinta y tantos' })
  })

  test('a birth date is named by what it replaces, and lies beside nothing once it is gone', async () => {
    const { put, db } = await openAged({ engine })
    expect((await put(birth, { 'if-match': settingTag('') })).status).toBe(200)
    const late = await put('1990-01-01', { 'if-match': settingTag('') })
    expect([late.status, membersOf(late)['current']]).toEqual([
      412,
      expect.objectContaining({ birth_date: birth }),
    ])
    expect((await put('', { 'if-match': settingTag(birth) })).status).toBe(200)
    expect(await db.selectFrom('setting').selectAll().execute()).toEqual([])
  })
})

test('a birth date that cannot be is refused in words, and a stranger is', async () => {
  const { call, put, asOwner } = await openAged()
  for (const value of ['1991-02-29', '2999-01-01', '1850-01-01', 'ayer']) {
    const refused = await put(value)
    expect([refused.status, membersOf(refused)['errors']]).toEqual([
      422,
      [{ pointer: '/birth_date', mensaje: valueErrors.birth.replace('{max}', '130') }],
    ])
  }
  expect((await call('PUT', birthCall, { body: { birth_date: birth } })).status).toBe(401)
  // Where all are written together it is none of them.
  await asOwner('PUT', calls.config, { body: { birth_date: birth } })
  expect((await asOwner('GET', birthCall)).json).toEqual({ birth_date: '' })
})

test('the tag of the settings changes with the age alone', async () => {
  const { call, put, pass } = await openAged()
  await put(birth)
  const { headers } = await call('GET', calls.config)
  const held = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
  pass(12 * dayMs)
  expect((await call('GET', calls.config, held)).status).toBe(304)
  pass(dayMs)
  expect((await call('GET', calls.config, held)).json).toMatchObject({ age_text: '39 años' })
})

test('what is kept for visitors says the new age on the birthday, and never the date', async () => {
  const app = await openAged()
  await app.put(birth)
  const { url } = await startSite(app.services, async ({ data }) => ({
    status: 200,
    app: `<main>${settingsOf(data.settings).age_text}</main>`,
    state: JSON.stringify(data),
  }))
  const paths = ['/about', '/resume.json', '/api/config', '/api/config/age_text', '/']
  const read = async (path: string, held = '') => {
    const answer = await fetch(url + path, { headers: { 'if-none-match': held } })
    return {
      status: answer.status,
      tag: answer.headers.get('etag') ?? '',
      text: await answer.text(),
    }
  }
  const saysTo = async (age: string) => {
    const answers = await Promise.all(paths.map((path) => read(path, tags.get(path))))
    for (const [index, { tag }] of answers.entries()) tags.set(paths[index] ?? '', tag)
    // Each says the age, and none of them anything of the date.
    expect(answers.filter(({ text }) => text.includes(age))).toHaveLength(paths.length)
    expect(answers.map(({ text }) => text).join('')).not.toMatch(/1992|birth/)
  }
  const tags = new Map<string, string>()
  // The last of the days before: 2031-03-13, late in the evening.
  app.pass(12 * dayMs + 13 * 3_600_000)
  await saysTo('38 años')
  const again = await Promise.all(paths.map((path) => read(path, tags.get(path))))
  expect(again.map(({ status }) => status)).toEqual(paths.map(() => 304))
  app.pass(3_600_000)
  await saysTo('39 años')
  // The clock was ahead, and is set right.
  app.pass(-3_600_000)
  await saysTo('38 años')
})
