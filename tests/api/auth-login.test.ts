import { describe, expect, test } from 'vitest'
import { minuteMs } from '#contract/durations.ts'
import { canonicalName } from '#server/access/owner.ts'
import { argon2id } from '#server/access/password.ts'
import { engines } from '#tests/support/database.ts'
import { openAccess, quickDerive, refusalOf } from '#tests/support/owner-access.ts'
import { owner } from '#tests/support/site.ts'

const here = { address: '192.0.2.1' }

describe.each(engines)('%s', (engine) => {
  test('the right password opens a session', async () => {
    const { auth } = await openAccess({ engine })
    const session = await auth.login({ ...owner, ...here })
    expect(session).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
      userName: owner.userName,
      authorities: [{ authority: 'ROLE_ADMIN' }],
      account: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/) as string,
    })
    expect(await auth.findSession(session.token)).toMatchObject({
      userName: owner.userName,
      role: 'ROLE_ADMIN',
    })
  })

  test('an account is the same under another name, and another one for another owner', async () => {
    const { auth, db, pass } = await openAccess({ engine })
    const { account } = await auth.login({ ...owner, ...here })
    const renamed = { ...owner, userName: 'otra@ejemplo.test' }
    await db.updateTable('owner').set({ user_name: renamed.userName }).execute()
    expect((await auth.login({ ...renamed, ...here })).account).toBe(account)
    await db.deleteFrom('owner').execute()
    pass(1)
    await auth.createOwner(owner)
    expect((await auth.login({ ...owner, ...here })).account).not.toBe(account)
  })

  test('a user name no database can hold names nobody', async () => {
    const { auth } = await openAccess({ engine })
    for (const userName of ['\u0000', 'a\u0000b', '\ud800', `${owner.userName}\u0000`]) {
      const refusal = await refusalOf(auth.login({ ...owner, ...here, userName }))
      expect(refusal.code).toBe('credenciales-incorrectas')
    }
  })
})

test('two sign-ins never share a token', async () => {
  const { auth } = await openAccess()
  const first = await auth.login({ ...owner, ...here })
  const second = await auth.login({ ...owner, ...here })
  expect(second.token).not.toBe(first.token)
})

test.each(['LUCIA@Ejemplo.Test', `  ${owner.userName} `])(
  'the user name %j is the owner’s too',
  async (userName) => {
    const { auth } = await openAccess()
    expect((await auth.login({ ...owner, ...here, userName })).userName).toBe(owner.userName)
  },
)

test('user names are one however case and accents are written', () => {
  expect(canonicalName('JOSE\u0301@Ejemplo.Test')).toBe(canonicalName('jos\u00e9@ejemplo.test'))
})

test.each([
  ['upper case', owner.password.toUpperCase()],
  ['white space around', ` ${owner.password} `],
  ['its beginning', owner.password.slice(0, -1)],
  ['more behind it', `${owner.password}x`],
])('a password counts as it is typed: %s is wrong', async (_, password) => {
  const { auth } = await openAccess()
  const refusal = await refusalOf(auth.login({ ...owner, ...here, password }))
  expect(refusal.code).toBe('credenciales-incorrectas')
})

test('whoever is refused cost the same work and hears the same, known or not', async () => {
  const { auth, hashes, events, pass } = await openAccess()
  const attempts = [
    { userName: owner.userName, password: 'no es esta frase' },
    { userName: 'nadie@ejemplo.test', password: 'no es esta frase' },
    { userName: 'nadie@ejemplo.test', password: owner.password },
    { userName: '', password: '' },
    { userName: owner.userName, password: '' },
  ]
  const seen = []
  for (const attempt of attempts) {
    hashes.length = 0
    events.length = 0
    // Within a minute the log tells of one alone.
    pass(minuteMs)
    const { code, status, details } = await refusalOf(auth.login({ ...attempt, ...here }))
    seen.push({ code, status, details, hashes: [...hashes], events: [...events] })
  }
  expect(seen[0]).toEqual({
    code: 'credenciales-incorrectas',
    status: 401,
    details: {},
    hashes: ['m=19456,t=2,p=1'],
    events: [{ event: 'login', outcome: 'refused', from: '192.0.2.0/24' }],
  })
  for (const one of seen) expect(one).toEqual(seen[0])
})

test('before the set-up nobody can sign in, with whatever a product might have come with', async () => {
  const { auth, db } = await openAccess({ withOwner: false, derive: quickDerive })
  const usual = { admin: 'admin', root: '', owner: 'password', [owner.userName]: owner.password }
  for (const [userName, password] of Object.entries(usual)) {
    const refusal = await refusalOf(auth.login({ userName, password, ...here }))
    expect(refusal.code).toBe('credenciales-incorrectas')
  }
  expect(await db.selectFrom('owner').selectAll().execute()).toEqual([])
})

test('one hash is made at a time, and whoever finds the queue full is told to come back', async () => {
  let running = 0
  let most = 0
  const { auth, db } = await openAccess({
    derive: async (input) => {
      most = Math.max(most, ++running)
      const tag = await argon2id({ ...input, memory: 8, passes: 1 })
      running--
      return tag
    },
  })
  const crowd = Array.from({ length: 40 }, (_, i) =>
    refusalOf(auth.login({ ...owner, password: 'no', address: `192.0.2.${i}` })),
  )
  const refusals = await Promise.all(crowd)
  const busy = refusals.filter(({ code }) => code === 'no-disponible')
  expect(most).toBe(1)
  expect(busy).toHaveLength(40 - 21)
  expect(busy[0]?.details.headers).toEqual({ 'retry-after': '5' })
  // An attempt that was never tried is not held against the address.
  const counted = await db.selectFrom('throttle').select('n').where('n', '>', 0).execute()
  expect(counted.filter(({ n }) => n === 1)).toHaveLength(21 * 2)
})

test('a refused attempt leaves neither the password nor the full address in the log', async () => {
  const { auth, events } = await openAccess({ derive: quickDerive })
  await refusalOf(auth.login({ ...owner, password: 'secreto-escrito', address: '192.0.2.77' }))
  expect(JSON.stringify(events)).not.toMatch(/secreto-escrito|192\.0\.2\.77|lucia@/)
})
