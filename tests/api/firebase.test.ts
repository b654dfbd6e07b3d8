import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { ownerCalls } from '#contract/owner-calls.ts'
import { firebaseTexts, firebaseTokenCall } from '#contract/texts/firebase.ts'
import { fill } from '#contract/text.ts'
import { pushTexts } from '#contract/texts/push.ts'
import { readConfig } from '#server/config.ts'
import { openApp, membersOf, refusal } from '#tests/support/app.ts'
import { freshFolder } from '#tests/support/database.ts'
import { accountFile, accountKey, project } from '#tests/doubles/google/account.ts'
import { createGoogleDouble } from '#tests/doubles/google/double.ts'

const account = JSON.stringify(accountFile)
const env = { FIREBASE_SERVICE_ACCOUNT: account }

test('the owner gets a token that Firebase takes, and that says who she is', async () => {
  const app = await openApp({ env })
  const answer = await app.asOwner('POST', firebaseTokenCall)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  const token = String(membersOf(answer)['token'])
  const { payload } = await jwtVerify(token, accountKey, { currentDate: app.services.now() })
  expect(payload).toMatchObject({ uid: 'owner', claims: { owner: true } })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600)
})

test('Firebase itself takes it', async () => {
  const app = await openApp({ env })
  app.pass(Date.now() - app.services.now().getTime())
  const { token } = membersOf(await app.asOwner('POST', firebaseTokenCall))
  const google = createGoogleDouble()
  const url = 'https://identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken'
  const signIn = (sent: unknown) =>
    google.fetch(`${url}?key=${project.apiKey}`, {
      method: 'POST',
      body: JSON.stringify({ token: sent }),
    })
  expect((await signIn(token)).status).toBe(200)
  expect((await signIn(`${String(token).slice(0, -8)}AAAAAAAA`)).status).toBe(400)
})

test('nobody else gets one, and a site without an account has none', async () => {
  const app = await openApp({ env })
  expect((await app.call('POST', firebaseTokenCall)).status).toBe(401)
  const without = await (await openApp()).asOwner('POST', firebaseTokenCall)
  expect(refusal(without)).toEqual({ status: 503, code: 'no-disponible' })
  expect(membersOf(without)['mensaje']).toBe(firebaseTexts.noAccount)
})

test('a page built for Firebase learns whether the server can ring it', async () => {
  const path = `${ownerCalls.push}?kind=fcm`
  const able = await (await openApp({ env })).asOwner('GET', path)
  expect(able.json).toEqual({ publicKey: '', kind: 'fcm' })
  const unable = await (await openApp()).asOwner('GET', path)
  expect(unable.json).toEqual({ publicKey: '', kind: null, trouble: firebaseTexts.noAccount })
})

test('the account of another project than the pages’ is named, and serves nothing of theirs', async () => {
  const app = await openApp({ env, pagesProject: 'otro-sitio' })
  const projects = { account: project.id, pages: 'otro-sitio' }
  const trouble = fill(pushTexts.otherProject, projects)
  const { json } = await app.asOwner('GET', `${ownerCalls.push}?kind=fcm`)
  expect(json).toEqual({ publicKey: '', kind: null, trouble })
  const refused = await app.asOwner('POST', firebaseTokenCall)
  expect(refusal(refused)).toEqual({ status: 503, code: 'no-disponible' })
  expect(membersOf(refused)['mensaje']).toBe(trouble)
  const own = await openApp({ env, pagesProject: project.id })
  expect((await own.asOwner('POST', firebaseTokenCall)).status).toBe(200)
})

test('the account may stand in a file, as the console hands it out', async () => {
  const file = join(await freshFolder(), 'account.json')
  await writeFile(file, JSON.stringify(accountFile, null, 2))
  const { firebase } = readConfig({ FIREBASE_SERVICE_ACCOUNT_FILE: file })
  expect(firebase).toMatchObject({ projectId: project.id, email: accountFile.client_email })
})

const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const secret = accountFile.private_key.slice(40, 80)

test.each([
  [account.slice(0, -1), 'no es JSON'],
  ['[]', 'no es una cuenta de servicio'],
  ['null', 'JSON no sirve'],
  [JSON.stringify({ ...accountFile, type: 'authorized_user' }), 'type no sirve'],
  [JSON.stringify({ ...accountFile, project_id: 'a/../b' }), 'project_id no sirve'],
  [JSON.stringify({ ...accountFile, client_email: undefined }), 'client_email no sirve'],
  [account.replace(secret, 'x'), 'private_key no es una clave PEM'],
  [
    JSON.stringify({
      ...accountFile,
      private_key: elliptic.export({ type: 'pkcs8', format: 'pem' }),
    }),
    'private_key no es una clave RSA',
  ],
])('a broken account stops the start with what is wrong, not with what is in it', (text, fault) => {
  const read = () => readConfig({ FIREBASE_SERVICE_ACCOUNT: text })
  expect(read).toThrow('FIREBASE_SERVICE_ACCOUNT no es ')
  expect(read).toThrow(fault)
  expect(read).not.toThrow(secret)
})
