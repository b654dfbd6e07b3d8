import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#contract/durations.ts'
import { createKnownNetworks } from '#server/access/known-networks.ts'
import { forgetHits, forgive, hit } from '#server/api/throttle.ts'
import { transact } from '#server/db/transact.ts'
import { engines, isPaired, openFresh } from '#tests/support/database.ts'
import {
  lowLimits,
  openAccess,
  quickDerive,
  refusalOf,
  type Access,
} from '#tests/support/owner-access.ts'
import { owner } from '#tests/support/site.ts'

const start = new Date('2031-03-01T10:00:00Z')
const after = (ms: number) => new Date(start.getTime() + ms)
const three = { limit: 3, windowMs: minuteMs }

describe.each(engines)('%s', (engine) => {
  test('a window takes as many hits as its limit and tells how long the rest must wait', async () => {
    const { db } = await openFresh(engine)
    const verdicts = []
    for (const ms of [0, 1000, 2000, 3000, 59_999]) {
      verdicts.push(await hit(db, 'k', { ...three, now: after(ms) }))
    }
    expect(verdicts).toEqual([
      { allowed: true, retryAfterS: 60 },
      { allowed: true, retryAfterS: 59 },
      { allowed: true, retryAfterS: 58 },
      { allowed: false, retryAfterS: 57 },
      { allowed: false, retryAfterS: 1 },
    ])
    expect(await hit(db, 'k', { ...three, now: after(minuteMs) })).toEqual({
      allowed: true,
      retryAfterS: 60,
    })
  })

  test('keys are counted apart, and none is lost when many come at once', async () => {
    const { db } = await openFresh(engine)
    const at = { limit: 7, windowMs: minuteMs, now: start }
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => hit(db, 'busy', at)))
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(7)
    expect((await hit(db, 'quiet', at)).allowed).toBe(true)
  })

  test('a clock set back does not freeze a window', async () => {
    const { db } = await openFresh(engine)
    for (let i = 0; i < 4; i++) await hit(db, 'k', { ...three, now: after(10 * dayMs) })
    expect(await hit(db, 'k', { ...three, now: start })).toEqual({ allowed: true, retryAfterS: 60 })
  })

  test('a hit can be taken back, and a key forgotten', async () => {
    const { db } = await openFresh(engine)
    const at = { limit: 1, windowMs: minuteMs, now: start }
    await hit(db, 'k', at)
    await forgive(db, 'k')
    await forgive(db, 'k')
    expect((await hit(db, 'k', at)).allowed).toBe(true)
    expect((await hit(db, 'k', at)).allowed).toBe(false)
    await forgetHits(db, 'k')
    expect((await hit(db, 'k', at)).allowed).toBe(true)
  })
})

async function failFrom({ auth }: Access, address: string, times = 1, userName = owner.userName) {
  const codes = []
  for (let i = 0; i < times; i++) {
    const refusal = await refusalOf(auth.login({ userName, password: 'no', address }))
    codes.push(refusal.code)
  }
  return codes
}

test('an address has ten attempts in a quarter of an hour, and no hash is made for the next', async () => {
  const access = await openAccess({ derive: quickDerive })
  expect(await failFrom(access, 'a', 10)).toEqual(Array(10).fill('credenciales-incorrectas'))
  access.pass(5 * minuteMs)
  access.hashes.length = 0
  const refusal = await refusalOf(access.auth.login({ ...owner, address: 'a' }))
  expect(refusal.code).toBe('demasiados-intentos')
  expect(refusal.details.headers).toEqual({ 'retry-after': '600' })
  expect(access.hashes).toEqual([])
  access.pass(10 * minuteMs)
  expect((await access.auth.login({ ...owner, address: 'a' })).userName).toBe(owner.userName)
})

test('the right password from another address works meanwhile', async () => {
  const access = await openAccess({ derive: quickDerive })
  await failFrom(access, 'a', 12)
  expect((await access.auth.login({ ...owner, address: 'b' })).userName).toBe(owner.userName)
})

test('nobody can lock the owner out: after too many wrong tries from everywhere she only waits', async () => {
  const access = await openAccess({ derive: quickDerive, limits: lowLimits })
  for (let i = 0; i < 6; i++) await failFrom(access, `crowd-${i}`)
  expect(access.pauses).toEqual([])
  await failFrom(access, 'crowd-next')
  expect(access.pauses).toEqual([1000])
  const session = await access.auth.login({ ...owner, address: 'her own' })
  expect(session.userName).toBe(owner.userName)
  expect(access.pauses).toEqual([1000, 1000])
  access.pass(hourMs)
  await access.auth.login({ ...owner, address: 'her own' })
  expect(access.pauses).toHaveLength(2)
})

test('sessions opened before go on while an account is under attack', async () => {
  const access = await openAccess({ derive: quickDerive })
  const { token } = await access.auth.login({ ...owner, address: 'a' })
  await failFrom(access, 'a', 12)
  expect(await access.auth.findSession(token)).toBeDefined()
})

test('one address cannot keep the server hashing with names it makes up', async () => {
  const access = await openAccess({ derive: quickDerive, limits: lowLimits })
  for (let i = 0; i < 12; i++) {
    expect(await failFrom(access, 'a', 1, `nadie-${i}@ejemplo.test`)).toEqual([
      'credenciales-incorrectas',
    ])
  }
  const rows = async () =>
    (await access.db.selectFrom('throttle').select('key').orderBy('key').execute()).map(
      ({ key }) => key,
    )
  const before = await rows()
  access.hashes.length = 0
  expect(await failFrom(access, 'a', 1, 'otro@ejemplo.test')).toEqual(['demasiados-intentos'])
  expect(access.hashes).toEqual([])
  expect(await rows()).toEqual(before)
})

test('signing in well never uses attempts up', async () => {
  const { auth, pauses } = await openAccess({ derive: quickDerive, limits: lowLimits })
  for (let i = 0; i < 14; i++) await auth.login({ ...owner, address: 'a' })
  expect(pauses).toEqual([])
})

test('signing in well gives the address its attempts back', async () => {
  const access = await openAccess({ derive: quickDerive })
  await failFrom(access, 'a', 9)
  await access.auth.login({ ...owner, address: 'a' })
  expect(await failFrom(access, 'a', 10)).toEqual(Array(10).fill('credenciales-incorrectas'))
})

test('too many tries are refused from memory and told once by each process', async () => {
  const access = await openAccess({ derive: quickDerive })
  // The last two are too many: each of two processes has refused one.
  await failFrom(access, 'a', 12)
  const counted = () =>
    access.db.selectFrom('throttle').select(['key', 'n']).orderBy('key').execute()
  const before = await counted()
  access.pass(minuteMs)
  const refusals = await Promise.all(
    Array.from({ length: 50 }, () => refusalOf(access.auth.login({ ...owner, address: 'a' }))),
  )
  for (const { code, details } of refusals) {
    expect([code, details.headers]).toEqual(['demasiados-intentos', { 'retry-after': '840' }])
  }
  expect(await counted()).toEqual(before)
  expect(access.events.filter(({ outcome }) => outcome === 'throttled')).toHaveLength(
    isPaired ? 2 : 1,
  )
})

test('however many addresses try passwords, the log tells of one a minute and how many more there were', async () => {
  const access = await openAccess({ derive: quickDerive })
  const told = () => access.events.splice(0)
  for (let i = 0; i < 9; i++) await failFrom(access, `198.51.100.${i}`)
  // Each process tells of its own.
  const each = isPaired ? [{ leftOut: 4 }, { leftOut: 3 }] : [{ leftOut: 8 }]
  const refused = { event: 'login', outcome: 'refused', from: expect.any(String) as string }
  expect(told()).toEqual(each.map(() => refused))
  // A sign-in among them is always told.
  await access.auth.login({ ...owner, address: 'b' })
  expect(told()).toMatchObject([{ event: 'login', outcome: 'ok' }])
  access.pass(minuteMs)
  await failFrom(access, 'c', each.length)
  expect(told()).toEqual(each.map(({ leftOut }) => ({ ...refused, leftOut })))
})

/** A crowd that goes on trying until it is told to stop; each address tries once in every round. */
async function openCrowd(access: Access, addresses: number) {
  const round = () =>
    Promise.allSettled(
      Array.from({ length: addresses }, (_, i) =>
        access.auth.login({ ...owner, password: 'no', address: `10.${i >> 8}.${i & 255}.1` }),
      ),
    )
  await round()
  return round()
}

test('she signs in while 500 addresses try passwords', async () => {
  const access = await openAccess({
    derive: async (input) => {
      await new Promise((resolve) => setImmediate(resolve))
      return quickDerive(input)
    },
  })
  const crowd = openCrowd(access, 500)
  await new Promise((resolve) => setImmediate(resolve))
  // Her first try may meet the crowd's own first ones; after those she has tried least.
  await crowd
  const second = openCrowd(access, 500)
  const session = await access.auth.login({ ...owner, address: 'a hotel’s' })
  expect(session.userName).toBe(owner.userName)
  await second
})

test('from a network she has signed in from, nobody comes before her', async () => {
  const access = await openAccess({
    derive: async (input) => {
      await new Promise((resolve) => setImmediate(resolve))
      return quickDerive(input)
    },
  })
  await access.auth.login({ ...owner, address: 'home' })
  for (let i = 0; i < 3; i++) {
    const crowd = openCrowd(access, 500)
    await failFrom(access, 'home', 2)
    expect((await access.auth.login({ ...owner, address: 'home' })).userName).toBe(owner.userName)
    await crowd
  }
})

test.each<[string, (i: number) => string]>([
  ['one network', (i) => `10.7.${i >> 8}.${i & 255}`],
  ['the networks of one provider', (i) => `2001:db8:${i.toString(16)}:1::/64`],
  ['a hundred networks', (i) => `${1 + (i % 100)}.7.${i >> 8}.${i & 255}`],
])('from a new network she signs in while ever new addresses of %s try', async (_, addressAt) => {
  const access = await openAccess({
    // One process: each ranks by what it was asked itself, and has its own places.
    engine: 'sqlite',
    derive: async (input) => {
      await new Promise((resolve) => setImmediate(resolve))
      return quickDerive(input)
    },
  })
  let tries = 0
  // More than may wait, so that of equals the last is told to come back.
  const crowd = () =>
    Promise.all(
      Array.from({ length: 60 }, () => failFrom(access, addressAt(tries++)).then(([code]) => code)),
    )
  for (let i = 0; i < 5; i++) await crowd()
  for (let i = 0; i < 10; i++) {
    const refused = crowd()
    const session = await access.auth.login({ ...owner, address: `${150 + i}.51.100.7` })
    expect(session.userName).toBe(owner.userName)
    expect(new Set(await refused)).toEqual(new Set(['no-disponible', 'credenciales-incorrectas']))
  }
})

test('every network she signs in from is remembered, whichever process of the site she meets', async () => {
  const access = await openAccess({ derive: quickDerive })
  for (const address of ['a', 'b', 'c']) await access.auth.login({ ...owner, address })
  const { value } = await access.db
    .selectFrom('site')
    .select('value')
    .where('key', '=', 'known-networks')
    .executeTakeFirstOrThrow()
  expect(value.split(' ')).toHaveLength(3)
})

test.each(engines)(
  'networks that several processes on %s remember in one moment are all remembered',
  async (engine) => {
    const { db } = await openFresh(engine)
    const addresses = ['a', 'b', 'c', 'd', 'e', 'f']
    const now = () => new Date()
    const add = (address: string) => transact(db, (t) => createKnownNetworks(now).add(t, address))
    await Promise.all(addresses.map(add))
    const known = await Promise.all(
      addresses.map((address) => createKnownNetworks(now).has(db, address)),
    )
    expect(known).toEqual(addresses.map(() => true))
  },
)

test('a minute after she has signed in from a network no process of the site slows her there', async () => {
  const access = await openAccess({ derive: quickDerive, limits: lowLimits })
  for (const address of ['a', 'a', 'home']) await access.auth.login({ ...owner, address })
  access.pass(minuteMs)
  for (let i = 0; i < 8; i++) await failFrom(access, `crowd-${i}`)
  expect(access.pauses).toHaveLength(2)
  for (let i = 0; i < 2; i++) await access.auth.login({ ...owner, address: 'home' })
  expect(access.pauses).toHaveLength(2)
})
