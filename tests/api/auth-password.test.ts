import { expect, test } from 'vitest'
import { loginTexts, setupTexts } from '#contract/login.ts'
import { createPasswords } from '#server/auth/password.ts'
import { passwordFault } from '#server/auth/password-rules.ts'
import { hit } from '#server/auth/throttle.ts'
import {
  lowLimits,
  minuteMs,
  openAccess,
  quickDerive,
  refusalOf,
  type Access,
} from '#tests/support/owner-access.ts'
import { owner } from '#tests/support/site.ts'

const newPassword = 'otra frase, igual de larga'

async function openSession(access: Access, address = 'a') {
  const { token } = await access.auth.login({ ...owner, address })
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

test('a wrong current password changes nothing', async () => {
  const access = await openAccess()
  const { session } = await openSession(access)
  const other = await openSession(access)
  const change = { currentPassword: 'no es', newPassword }
  const refusal = await refusalOf(access.auth.changePassword(session, change))
  expect(refusal.status).toBe(422)
  expect(refusal.details.errors).toEqual({ currentPassword: loginTexts.wrong })
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
