import { describe, expect, test } from 'vitest'
import { dayMs, minuteMs } from '#contract/durations.ts'
import { setupTexts } from '#contract/access/login.ts'
import { listEntries } from '#server/db/entries.ts'
import { hasSample, seedSample } from '#server/db/sample.ts'
import { sample } from '#contract/sample.ts'
import { sections } from '#contract/sections/index.ts'
import { linkFor, prepareOwner } from '#server/access/first-run.ts'
import { issueLink } from '#server/access/one-time-link.ts'
import { engines } from '#tests/support/database.ts'
import { openAccess, quickDerive, refusalOf } from '#tests/support/owner-access.ts'
import { owner } from '#tests/support/site.ts'

const publicUrl = 'https://lucia.example'
const use = { ...owner, keepSample: true }

describe.each(engines)('%s', (engine) => {
  const openSite = (withOwner = false) => openAccess({ engine, withOwner, derive: quickDerive })

  test('a set-up link makes the owner, signs her in and is used up', async () => {
    const { auth } = await openSite()
    const token = await auth.issueLink('setup')
    expect(await auth.linkPurpose(token)).toBe('setup')
    expect(await auth.linkPurpose(token)).toBe('setup')
    const session = await auth.redeemLink({ ...use, token })
    expect(await auth.findSession(session.token)).toMatchObject({ userName: owner.userName })
    expect(await auth.linkPurpose(token)).toBeUndefined()
    expect((await refusalOf(auth.redeemLink({ ...use, token }))).code).toBe('no-encontrado')
    await auth.login({ ...owner, address: 'a' })
  })

  test('of two people with the same link only one becomes the owner', async () => {
    const { auth, db } = await openSite()
    const token = await auth.issueLink('setup')
    const names = ['una@ejemplo.test', 'otra@ejemplo.test']
    const outcomes = await Promise.allSettled(
      names.map((userName) => auth.redeemLink({ ...use, userName, token })),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await db.selectFrom('owner').selectAll().execute()).toHaveLength(1)
    expect(await db.selectFrom('session').selectAll().execute()).toHaveLength(1)
  })

  test('a reset link used twice in the same moment works once', async () => {
    const { auth, db } = await openSite(true)
    const token = await auth.issueLink('reset')
    const outcomes = await Promise.allSettled([1, 2].map(() => auth.redeemLink({ ...use, token })))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await db.selectFrom('session').selectAll().execute()).toHaveLength(1)
  })

  test('of two reset links used in the same moment one works, and ends the other', async () => {
    const { auth, db, now } = await openSite(true)
    const tokens = [
      await auth.issueLink('reset'),
      await issueLink(db, 'reset', now(), { besides: true }),
    ]
    const outcomes = await Promise.allSettled(
      tokens.map((token) => auth.redeemLink({ ...use, token })),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = outcomes.find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: { code: 'no-encontrado' } })
    expect(await db.selectFrom('session').selectAll().execute()).toHaveLength(1)
    expect(await db.selectFrom('one_time_link').selectAll().execute()).toEqual([])
  })

  test('of two owners made in the same moment there is one', async () => {
    const { auth } = await openSite()
    const made = await Promise.all(
      ['una@ejemplo.test', 'otra@ejemplo.test'].map((userName) =>
        auth.createOwner({ ...owner, userName }),
      ),
    )
    expect(made.filter(Boolean)).toHaveLength(1)
  })

  test.each([true, false])(
    'the sample content stays when the owner says %s',
    async (keepSample) => {
      const { auth, db } = await openSite()
      await seedSample(db)
      const token = await auth.issueLink('setup')
      await auth.redeemLink({ ...owner, token, keepSample })
      expect(await hasSample(db)).toBe(keepSample)
      for (const section of sections.filter(({ key }) => key in sample.entries)) {
        expect((await listEntries(db, section)).length > 0).toBe(keepSample)
      }
    },
  )

  test('a reset link sets a new password and ends every session', async () => {
    const { auth } = await openSite(true)
    const before = await auth.login({ ...owner, address: 'a' })
    const token = await auth.issueLink('reset')
    const password = 'recordada otra vez, por fin'
    const session = await auth.redeemLink({ token, password, userName: '', keepSample: false })
    expect(session.userName).toBe(owner.userName)
    expect(await auth.findSession(before.token)).toBeUndefined()
    expect(await auth.findSession(session.token)).toBeDefined()
    expect(await auth.linkPurpose(token)).toBeUndefined()
    await refusalOf(auth.login({ ...owner, address: 'a' }))
    await auth.login({ ...owner, password, address: 'a' })
  })
})

test('a reset leaves the content alone, whatever it says of the sample', async () => {
  const { auth, db } = await openAccess({ derive: quickDerive })
  await seedSample(db)
  const token = await auth.issueLink('reset')
  await auth.redeemLink({ ...owner, token, keepSample: false })
  expect(await hasSample(db)).toBe(true)
})

test.each([
  ['setup', false, 60],
  ['reset', true, 30],
] as const)('a %s link lives its time and no longer', async (purpose, withOwner, minutes) => {
  const { auth, pass } = await openAccess({ withOwner, derive: quickDerive })
  const token = await auth.issueLink(purpose)
  pass(minutes * minuteMs - 1)
  expect(await auth.linkPurpose(token)).toBe(purpose)
  pass(1)
  expect(await auth.linkPurpose(token)).toBeUndefined()
  expect((await refusalOf(auth.redeemLink({ ...use, token }))).code).toBe('no-encontrado')
})

test('a link from a clock that was ahead opens nothing once the clock is set right, nor when its moment comes', async () => {
  const { auth, pass } = await openAccess({ derive: quickDerive })
  pass(365 * dayMs)
  const token = await auth.issueLink('reset')
  expect(await auth.linkPurpose(token)).toBe('reset')
  pass(-365 * dayMs)
  expect(await auth.linkPurpose(token)).toBeUndefined()
  expect((await refusalOf(auth.redeemLink({ ...use, token }))).code).toBe('no-encontrado')
  await auth.sweeps.links()
  pass(365 * dayMs)
  expect(await auth.linkPurpose(token)).toBeUndefined()
})

test('the clocks of two processes may differ by a minute', async () => {
  const { auth, pass } = await openAccess({ derive: quickDerive })
  const token = await auth.issueLink('reset')
  pass(-minuteMs)
  await auth.sweeps.links()
  expect(await auth.linkPurpose(token)).toBe('reset')
})

test('a new link ends the one before it', async () => {
  const { auth } = await openAccess({ withOwner: false })
  const first = await auth.issueLink('setup')
  const second = await auth.issueLink('setup')
  expect(await auth.linkPurpose(first)).toBeUndefined()
  expect(await auth.linkPurpose(second)).toBe('setup')
})

test('set-up links are dead once there is an owner, reset links before there is one', async () => {
  const { auth } = await openAccess({ withOwner: false, derive: quickDerive })
  const [setup, reset] = [await auth.issueLink('setup'), await auth.issueLink('reset')]
  expect(await auth.linkPurpose(reset)).toBeUndefined()
  await auth.createOwner(owner)
  expect(await auth.linkPurpose(setup)).toBeUndefined()
  const refusal = await refusalOf(auth.redeemLink({ ...use, token: setup }))
  expect(refusal.code).toBe('no-encontrado')
})

test('bad fields are named and leave the link usable, without a hash', async () => {
  const { auth, hashes } = await openAccess({ withOwner: false })
  const token = await auth.issueLink('setup')
  const bad = { token, userName: 'no es un correo', password: 'password1234', keepSample: true }
  const refusal = await refusalOf(auth.redeemLink(bad))
  expect(refusal.status).toBe(422)
  expect(refusal.details.errors).toEqual({
    userName: 'Escribe un correo v\u00e1lido.',
    password: setupTexts.tooCommon,
  })
  expect(hashes).toEqual([])
  expect(await auth.linkPurpose(token)).toBe('setup')
})

test('a start without an owner prints a link, a new one each time', async () => {
  const { auth } = await openAccess({ withOwner: false })
  const start = () => prepareOwner({ auth, config: { publicUrl }, log: () => {} })
  const [first, second] = [await start(), await start()]
  expect(first).toMatch(/^https:\/\/lucia\.example\/configurar#[\w-]{43}$/)
  expect(second).not.toBe(first)
  expect(await auth.linkPurpose(second?.split('#')[1] ?? '')).toBe('setup')
  expect(await auth.hasOwner()).toBe(false)
})

test('of the links that two starts printed both work, until one is used', async () => {
  const { auth } = await openAccess({ withOwner: false, derive: quickDerive })
  const start = () => prepareOwner({ auth, config: { publicUrl }, log: () => {} })
  const links = [await start(), await start()]
  const [one = '', other = ''] = links.map((link) => link?.split('#')[1])
  expect([await auth.linkPurpose(one), await auth.linkPurpose(other)]).toEqual(['setup', 'setup'])
  await auth.redeemLink({ ...use, token: one })
  expect((await refusalOf(auth.redeemLink({ ...use, token: other }))).code).toBe('no-encontrado')
})

test('a start with an owner prints nothing and issues no link', async () => {
  const { auth, db } = await openAccess({ derive: quickDerive })
  expect(await prepareOwner({ auth, config: { publicUrl }, log: () => {} })).toBeUndefined()
  expect(await db.selectFrom('one_time_link').selectAll().execute()).toEqual([])
})

test('a start makes the owner the operator named, once', async () => {
  const { auth, events } = await openAccess({ withOwner: false })
  const log = (event: string) => void events.push({ event })
  const start = (password: string) =>
    prepareOwner({ auth, config: { publicUrl, owner: { ...owner, password } }, log })
  expect(await start(owner.password)).toBeUndefined()
  expect(events).toEqual([{ event: 'owner-created' }])
  expect(await start('una clave posterior')).toBeUndefined()
  await auth.login({ ...owner, address: 'a' })
})

test('a start refuses a weak owner with the reason and without the password', async () => {
  const { auth } = await openAccess({ withOwner: false })
  const weak = { userName: 'lucia', password: 'password1234' }
  const start = prepareOwner({ auth, config: { publicUrl, owner: weak }, log: () => {} })
  const error = await start.catch((thrown: unknown) => thrown)
  expect(String(error)).toContain('OWNER_EMAIL: ')
  expect(String(error)).toContain(`OWNER_PASSWORD: ${setupTexts.tooCommon}`)
  expect(String(error)).not.toContain(weak.password)
  expect(await auth.hasOwner()).toBe(false)
})

test('the link carries its token in the fragment, which no server sees', () => {
  expect(new URL(linkFor({ publicUrl }, 'abc')).hash).toBe('#abc')
})
