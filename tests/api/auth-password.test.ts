import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { minuteMs } from '#contract/durations.ts'
import { setupTexts } from '#contract/access/login.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { createPasswords } from '#server/access/password.ts'
import { passwordFault } from '#server/access/password-rules.ts'
import { hit } from '#server/api/throttle.ts'
import { engines } from '#tests/support/database.ts'
import {
  lowLimits,
  openAccess,
  quickDerive,
  refusalOf,
  type Access,
} from '#tests/support/owner-access.ts'
import { owner } from '#tests/support/site.ts'
import { runToEnd } from '#tests/support/run-to-end.ts'

const newPassword = 'otra frase, igual de larga'

async function openSession(access: Access) {
  const { token } = await access.auth.login({ ...owner, address: 'a' })
  const session = await access.auth.findSession(token)
  if (!session) throw new Error('no session')
  return { token, session }
}

test('a password hash of the argon2 reference implementation is verified', async () => {
  const passwords = createPasswords()
  const stored =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await passwords.verify('password', stored)).toBe(true)
  expect(await passwords.verify('Password', stored)).toBe(false)
})

test('the same password is stored differently each time', async () => {
  const passwords = createPasswords()
  const [one, two] = [await passwords.hash(newPassword), await passwords.hash(newPassword)]
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(one).not.toBe(two)
  expect(await passwords.verify(newPassword, one)).toBe(true)
})

test.each([
  ['once', 'aB3$kP9!xQ2'],
  ['emoji count as one each', '\u{1f600}'.repeat(11)],
])('eleven characters are too few: %s', (_, password) => {
  expect(passwordFault(password, owner.userName)).toBe(setupTexts.tooShort)
})

test('twelve to a hundred and twenty-eight code points are enough and not too many', () => {
  const long = 'una frase que no acaba nunca, '.repeat(4)
  expect(passwordFault('kq8vz-2mwpxr', owner.userName)).toBeUndefined()
  expect(passwordFault(`${long}${'\u{1f600}'.repeat(8)}`, owner.userName)).toBeUndefined()
  expect(passwordFault(`${long}${'\u{1f600}'.repeat(9)}`, owner.userName)).toMatch(/128/)
})

test('half a character is hashed as any other, and so is no part of a password', () => {
  const others = Array.from({ length: 12 }, (_, i) => String.fromCharCode(0xd800 + i))
  expect(passwordFault(others.join(''), owner.userName)).toBe(fieldErrors.unreadable)
})

test.each([
  'password1234',
  'Password!2024',
  'Contrase\u00f1a2024!',
  'dragon123456789',
  '123456789012',
  'qwertyqwerty',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  '1qaz2wsx3edc',
  'passwordpassword',
  'q1w2e3r4t5y6q1w2e3r4t5y6',
  owner.userName,
  owner.userName.toUpperCase(),
  'ejemplo-2024',
])('%s would be guessed first and is refused', (password) => {
  expect(passwordFault(password, owner.userName)).toBe(setupTexts.tooCommon)
})

test.each([
  'correct horse battery staple',
  'mi gata duerme al sol',
  'kq8vz2mwpxrt',
  'Tr0ub4dor&3xyz',
  'passwords are a nuisance',
])('%s is taken', (password) => {
  expect(passwordFault(password, owner.userName)).toBeUndefined()
})

test('a change of the password keeps this session, ends the others and their way back', async () => {
  const access = await openAccess()
  const { auth } = access
  const [mine, other] = [await openSession(access), await openSession(access)]
  const link = await auth.issueLink('reset')
  await auth.changePassword(mine.session, { currentPassword: owner.password, newPassword })
  expect(await auth.findSession(mine.token)).toBeDefined()
  expect(await auth.findSession(other.token)).toBeUndefined()
  expect(await auth.linkPurpose(link)).toBeUndefined()
  const refusal = await refusalOf(auth.login({ ...owner, address: 'a' }))
  expect(refusal.code).toBe('credenciales-incorrectas')
  await auth.login({ ...owner, password: newPassword, address: 'a' })
})

test.each(engines)(
  'of four changes at once one wins, and the password is its own: %s',
  async (engine) => {
    const access = await openAccess({ engine })
    const sessions = []
    for (let i = 0; i < 4; i++) sessions.push(await openSession(access))
    const changes = sessions.map(({ session }, i) => {
      const change = { currentPassword: owner.password, newPassword: `${newPassword} ${i}` }
      return access.auth.changePassword(session, change).then(
        () => i,
        (error: unknown) => error,
      )
    })
    const outcomes = await Promise.all(changes)
    const winners = outcomes.filter((outcome) => typeof outcome === 'number')
    expect(winners).toHaveLength(1)
    for (const outcome of outcomes) {
      if (typeof outcome === 'number') continue
      expect(outcome).toMatchObject({
        details: { errors: { currentPassword: accessTexts.wrongPassword } },
      })
    }
    const password = `${newPassword} ${winners[0]}`
    await access.auth.login({ ...owner, password, address: 'a' })
    for (const [i, { token }] of sessions.entries()) {
      expect((await access.auth.findSession(token)) !== undefined).toBe(i === winners[0])
    }
  },
)

test.each(engines)(
  'the former password opens nothing that outlives its change, though it was still right when it was tried: %s',
  async (engine) => {
    const changes: (() => Promise<void>)[] = []
    const meanwhile = async () => changes.pop()?.()
    const access = await openAccess({ engine, limits: lowLimits, derive: quickDerive, meanwhile })
    const { token, session } = await openSession(access)
    const wrong = { ...owner, password: 'no es' }
    for (let i = 0; i < lowLimits.account.limit; i++) {
      await refusalOf(access.auth.login({ ...wrong, address: `192.0.2.${i}` }))
    }
    const change = { currentPassword: owner.password, newPassword }
    changes.push(() => access.auth.changePassword(session, change))
    const refusal = await refusalOf(access.auth.login({ ...owner, address: '198.51.100.1' }))
    expect(changes).toEqual([])
    expect(refusal.code).toBe('credenciales-incorrectas')
    expect(await access.auth.signIns(session)).toHaveLength(1)
    expect(await access.auth.findSession(token)).toBeDefined()
  },
)

test('a wrong current password changes nothing', async () => {
  const access = await openAccess()
  const { session } = await openSession(access)
  const other = await openSession(access)
  const change = { currentPassword: 'no es', newPassword }
  const refusal = await refusalOf(access.auth.changePassword(session, change))
  expect(refusal.status).toBe(422)
  expect(refusal.details.errors).toEqual({ currentPassword: accessTexts.wrongPassword })
  expect(await access.auth.findSession(other.token)).toBeDefined()
  await access.auth.login({ ...owner, address: 'a' })
})

test('a weak new password is refused before anything is hashed', async () => {
  const access = await openAccess()
  const { session } = await openSession(access)
  access.hashes.length = 0
  const change = { currentPassword: owner.password, newPassword: 'password1234' }
  const refusal = await refusalOf(access.auth.changePassword(session, change))
  expect(refusal.details.errors).toEqual({ newPassword: setupTexts.tooCommon })
  expect(access.hashes).toEqual([])
})

test('a stolen session cannot be used to guess the password', async () => {
  const access = await openAccess({ derive: quickDerive, limits: lowLimits })
  const { session } = await openSession(access)
  const change = { currentPassword: 'no es', newPassword }
  for (let i = 0; i < 2; i++) await refusalOf(access.auth.changePassword(session, change))
  access.hashes.length = 0
  const right = { currentPassword: owner.password, newPassword }
  const refusal = await refusalOf(access.auth.changePassword(session, right))
  expect(refusal.code).toBe('demasiados-intentos')
  expect(access.hashes).toEqual([])
  access.pass(15 * minuteMs)
  await access.auth.changePassword(session, right)
  const limit = { limit: 1, windowMs: minuteMs, now: access.now() }
  expect((await hit(access.db, `password:${session.ownerId}`, limit)).allowed).toBe(true)
})

test('the day of the last change of the password is kept, and there is none before the first', async () => {
  const access = await openAccess()
  const { auth } = access
  const { session } = await openSession(access)
  expect(await auth.ownAccess()).toEqual({ userName: owner.userName, passwordChangedAt: null })
  access.pass(minuteMs)
  await auth.changePassword(session, { currentPassword: owner.password, newPassword })
  const { passwordChangedAt } = await auth.ownAccess()
  expect(passwordChangedAt).toBe(access.now().toISOString())
  access.pass(minuteMs)
  const token = await auth.issueLink('reset')
  const password = `${newPassword} y otra`
  await auth.redeemLink({ token, password, userName: '', keepSample: true })
  expect((await auth.ownAccess()).passwordChangedAt).toBe(access.now().toISOString())
})

test.each(engines)(
  'of a change of the name and one of the password in the same moment one wins: %s',
  async (engine) => {
    const access = await openAccess({ engine })
    const userName = 'otra@example.com'
    const [byName, byPassword] = [await openSession(access), await openSession(access)]
    const currentPassword = owner.password
    const outcomes = await Promise.allSettled([
      access.auth.changeUserName(byName.session, { currentPassword, userName }),
      access.auth.changePassword(byPassword.session, { currentPassword, newPassword }),
    ])
    const [name, password] = outcomes.map(({ status }) => status === 'fulfilled')
    expect(name).not.toBe(password)
    await access.auth.login({
      userName: name ? userName : owner.userName,
      password: password ? newPassword : owner.password,
      address: 'a',
    })
    expect((await access.auth.findSession(byName.token)) !== undefined).toBe(name)
  },
)

test.each(engines)(
  'a session that the change of another ended changes nothing more: %s',
  async (engine) => {
    const access = await openAccess({ engine })
    const { auth } = access
    const [first, second] = [await openSession(access), await openSession(access)]
    const currentPassword = owner.password
    // The call of the second was let in before the first had ended its session.
    await auth.changeUserName(first.session, { currentPassword, userName: 'otra@example.com' })
    const refusal = await refusalOf(
      auth.changePassword(second.session, { currentPassword, newPassword }),
    )
    expect(refusal.code).toBe('sesion-requerida')
    await auth.login({ userName: 'otra@example.com', password: currentPassword, address: 'a' })
  },
)

test('a change of the name keeps the account and this session; guesses are counted with the password’s', async () => {
  const access = await openAccess({ limits: lowLimits })
  const { auth } = access
  const { token, session } = await openSession(access)
  const account = async (userName: string) =>
    (await auth.login({ ...owner, userName, address: 'b' })).account
  const before = await account(owner.userName)
  const userName = 'otra@example.com'
  await auth.changeUserName(session, { currentPassword: owner.password, userName })
  expect(await auth.findSession(token)).toMatchObject({ userName })
  expect(await account(userName)).toBe(before)
  // Said again after a lost answer, it is done.
  await auth.changeUserName(session, { currentPassword: owner.password, userName })
  const wrong = { currentPassword: 'no es', newPassword, userName }
  await refusalOf(auth.changeUserName(session, wrong))
  await refusalOf(auth.changePassword(session, wrong))
  const right = { currentPassword: owner.password, userName: 'tercera@example.com' }
  expect((await refusalOf(auth.changeUserName(session, right))).code).toBe('demasiados-intentos')
  access.pass(15 * minuteMs)
  expect(await auth.changeUserName(session, right)).toBe(right.userName)
})

test('an address that would give the password away is refused', async () => {
  const access = await openAccess()
  const { session } = await openSession(access)
  const password = 'montana.verde@example.com'
  await access.auth.changePassword(session, {
    currentPassword: owner.password,
    newPassword: password,
  })
  const change = { currentPassword: password, userName: password }
  const refusal = await refusalOf(access.auth.changeUserName(session, change))
  expect(refusal.details.errors).toEqual({ userName: accessTexts.emailIsPassword })
})

test('hashing again and again takes memory once', () => {
  const script = `
    import { createPasswords } from ${JSON.stringify(pathToFileURL(resolve('src/server/access/password.ts')).href)}
    const { hash } = createPasswords()
    await hash('la primera')
    const before = process.memoryUsage.rss()
    for (let i = 0; i < 16; i++) {
      await hash('contraseña ' + i)
      // Something else for the threads in between, as in a server.
      await Promise.all(Array.from({ length: 7 }, () => readFile(process.execPath, { signal: AbortSignal.timeout(1) }).catch(() => 0)))
    }
    console.log(Math.round((process.memoryUsage.rss() - before) / 1e6))
    process.exit()
  `
  const args = [
    '--input-type=module',
    '--eval',
    `import { readFile } from 'node:fs/promises'\n${script}`,
  ]
  const { stdout, stderr } = runToEnd(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  // One hash takes 20 MB.
  expect(Number(stdout)).toBeLessThan(35)
})
