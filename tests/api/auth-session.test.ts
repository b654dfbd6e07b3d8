import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { dayMs, minuteMs } from '#contract/durations.ts'
import { createAuth, type Auth } from '#server/access/auth.ts'
import { readKeptCookie, renewSession } from '#server/access/kept-session.ts'
import { hit } from '#server/api/throttle.ts'
import { transact } from '#server/db/transact.ts'
import { engines, freshFolder, openForTest } from '#tests/support/database.ts'
import { defaultLimits, openAccess, quickDerive, type Access } from '#tests/support/owner-access.ts'
import { owner } from '#tests/support/site.ts'

const signIn = async ({ auth }: Access, address = 'a') =>
  (await auth.login({ ...owner, address })).token

async function sessionOf(auth: Auth, token: string) {
  const session = await auth.findSession(token)
  if (!session) throw new Error('no session')
  return session
}

describe.each(engines)('%s', (engine) => {
  test('a session ends after seven days without a call', async () => {
    const access = await openAccess({ engine, derive: quickDerive })
    const token = await signIn(access)
    access.pass(7 * dayMs - 1)
    expect(await access.auth.findSession(token)).toBeDefined()
    access.pass(7 * dayMs)
    expect(await access.auth.findSession(token)).toBeUndefined()
  })

  test('a session in daily use ends after thirty days', async () => {
    const access = await openAccess({ engine, derive: quickDerive })
    const token = await signIn(access)
    for (let day = 0; day < 29; day++) {
      access.pass(dayMs)
      expect(await access.auth.findSession(token)).toBeDefined()
    }
    access.pass(dayMs)
    expect(await access.auth.findSession(token)).toBeUndefined()
  })

  test('the twenty-first session ends the one that was unused for longest', async () => {
    const access = await openAccess({ engine, derive: quickDerive })
    const tokens = []
    for (let i = 0; i < 20; i++) {
      tokens.push(await signIn(access))
      access.pass(10 * minuteMs)
    }
    const [first = '', second = '', ...others] = tokens
    await access.auth.findSession(first)
    access.pass(minuteMs)
    const newest = await signIn(access)
    expect(await access.auth.findSession(second)).toBeUndefined()
    for (const token of [first, ...others, newest]) {
      expect(await access.auth.findSession(token)).toBeDefined()
    }
  })

  test('signing out ends this session at once and no other', async () => {
    const access = await openAccess({ engine, derive: quickDerive })
    const [one, two] = [await signIn(access), await signIn(access)]
    await access.auth.logout(await sessionOf(access.auth, one))
    expect(await access.auth.findSession(one)).toBeUndefined()
    expect(await access.auth.findSession(two)).toBeDefined()
  })

  test('the other sessions can be ended, and this one stays', async () => {
    const access = await openAccess({ engine, derive: quickDerive })
    const [one, two, three] = [await signIn(access), await signIn(access), await signIn(access)]
    await access.auth.logoutOthers(await sessionOf(access.auth, two))
    expect(await access.auth.findSession(one)).toBeUndefined()
    expect(await access.auth.findSession(two)).toBeDefined()
    expect(await access.auth.findSession(three)).toBeUndefined()
  })

  test.each(['it is closed', 'the others are ended'])(
    'a session that is being renewed while %s ends with its sign-in',
    async (how) => {
      const access = await openAccess({ engine, derive: quickDerive })
      const { auth, db } = access
      const left = await sessionOf(auth, await signIn(access))
      const here = await sessionOf(auth, await signIn(access))
      const kept = readKeptCookie(await auth.keep(left, ''))
      if (!kept) throw new Error('not kept')
      let ending: Promise<unknown> = Promise.resolve()
      const renewal = await transact(db, async (t) => {
        const renewed = await renewSession(t, kept, access.now())
        ending = how === 'it is closed' ? auth.closeSignIn(left.signInId) : auth.logoutOthers(here)
        // It gets as far as the renewal lets it.
        await wait(200)
        return renewed
      })
      await ending
      const { token } = renewal as { readonly token: string }
      expect(await auth.findSession(token)).toBeUndefined()
      expect(await db.selectFrom('session').select('sign_in_id').execute()).toEqual([
        { sign_in_id: here.signInId },
      ])
    },
  )

  test('what has expired is swept away, what has not stays', async () => {
    const access = await openAccess({ engine, derive: quickDerive })
    const { auth, db } = access
    await signIn(access)
    await auth.issueLink('reset')
    await hit(db, 'old', { limit: 1, windowMs: minuteMs, now: access.now() })
    access.pass(8 * dayMs)
    const token = await signIn(access)
    await hit(db, 'new', { limit: 1, windowMs: minuteMs, now: access.now() })
    for (const sweep of Object.values(auth.sweeps)) await sweep()
    expect(await auth.findSession(token)).toBeDefined()
    expect(await db.selectFrom('session').selectAll().execute()).toHaveLength(1)
    expect(await db.selectFrom('one_time_link').selectAll().execute()).toEqual([])
    const keys = await db.selectFrom('throttle').select('key').execute()
    expect(keys.map(({ key }) => key)).toContain('new')
    expect(keys.map(({ key }) => key)).not.toContain('old')
  })
})

test('use is noted at most every five minutes', async () => {
  const access = await openAccess({ derive: quickDerive })
  const token = await signIn(access)
  const seenAt = async () =>
    (await access.db.selectFrom('session').select('seen_at').executeTakeFirstOrThrow()).seen_at
  const atLogin = await seenAt()
  access.pass(5 * minuteMs - 1)
  await access.auth.findSession(token)
  expect(await seenAt()).toBe(atLogin)
  access.pass(1)
  await access.auth.findSession(token)
  const noted = access.now().toISOString()
  expect(await seenAt()).toBe(noted)
  access.pass(minuteMs)
  await access.auth.findSession(token)
  expect(await seenAt()).toBe(noted)
})

test('a clock set back leaves sessions alive and puts their last use right', async () => {
  const access = await openAccess({ derive: quickDerive })
  const token = await signIn(access)
  access.pass(-3 * dayMs)
  expect(await access.auth.findSession(token)).toBeDefined()
  const { seen_at } = await access.db
    .selectFrom('session')
    .select('seen_at')
    .executeTakeFirstOrThrow()
  expect(seen_at).toBe(access.now().toISOString())
})

test('a session from a clock that was ahead ends no later than others once the clock is set right', async () => {
  const access = await openAccess({ derive: quickDerive })
  access.pass(365 * dayMs)
  const token = await signIn(access)
  access.pass(-365 * dayMs)
  for (let week = 0; week < 5; week++) {
    expect(await access.auth.findSession(token)).toBeDefined()
    access.pass(6 * dayMs)
  }
  expect(await access.auth.findSession(token)).toBeUndefined()
})

test.each(['', 'x', 'A'.repeat(43), '\u0000'.repeat(43)])(
  'the token %j opens nothing',
  async (token) => {
    const access = await openAccess({ derive: quickDerive })
    await signIn(access)
    expect(await access.auth.findSession(token)).toBeUndefined()
  },
)

test('the database file holds no token and no password, only what cannot be turned back', async () => {
  const folder = await freshFolder()
  const { db } = await openForTest({ engine: 'sqlite', file: join(folder, 'tintero.sqlite') })
  const auth = createAuth({ db, now: () => new Date(), log: () => {}, limits: defaultLimits })
  await auth.createOwner(owner)
  const { token } = await auth.login({ ...owner, address: 'a' })
  const link = await auth.issueLink('reset')
  const { tokenHash } = await sessionOf(auth, token)
  const files = await readdir(folder)
  const bytes = Buffer.concat(await Promise.all(files.map((name) => readFile(join(folder, name)))))
  expect(bytes.includes(tokenHash)).toBe(true)
  expect(bytes.includes('$argon2id$v=19$m=19456,t=2,p=1$')).toBe(true)
  for (const secret of [token, link, owner.password]) {
    expect(bytes.includes(secret)).toBe(false)
    expect(bytes.includes(Buffer.from(secret, 'base64url'))).toBe(false)
  }
})
