import { describe, expect, test } from 'vitest'
import { hourMs } from '#contract/durations.ts'
import { idempotencyHeader } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { maxDevices, maxDeviceLabel, type Device } from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { pushTexts } from '#contract/texts/push.ts'
import { closeSignIn } from '#server/access/sign-in.ts'
import type { Engine } from '#server/db/tables.ts'
import { createApp } from '#server/api/app.ts'
import { saveDevice, takeOffList } from '#server/notifications/devices.ts'
import { isRemoved, rememberRemoved } from '#server/notifications/removed-devices.ts'
import { membersOf, openApp, refusal, type TestApp } from '#tests/support/app.ts'
import { callDuring } from '#tests/support/call-during.ts'
import { engines } from '#tests/support/database.ts'
import { subscribe } from '#tests/doubles/push-recorder.ts'
import { owner } from '#tests/support/site.ts'

const add = (app: TestApp, address: unknown, label: unknown = 'Teléfono') =>
  app.asOwner('POST', ownerCalls.devices, { body: { address, label } })
const list = async (app: TestApp) =>
  (await app.asOwner('GET', ownerCalls.devices)).json as readonly Device[]
const labels = async (app: TestApp) => (await list(app)).map(({ label }) => label)
const addedId = async (app: TestApp, address: unknown) =>
  String(membersOf(await add(app, address))['id'])

const open = (engine: Engine) => openApp({ engine })

describe.each(engines)('on %s', (engine) => {
  test('a device is listed without the address that is all it takes to ring it', async () => {
    const app = await open(engine)
    const { address } = subscribe()
    const answer = await add(app, address)
    const device = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      label: 'Teléfono',
      kind: 'webpush',
      createdAt: '2031-03-01T10:00:00.000Z',
      lastSentAt: null,
      trouble: '',
    }
    expect([answer.status, answer.json]).toEqual([
      201,
      { ...device, mensaje: pushTexts.deviceAdded },
    ])
    expect(await list(app)).toEqual([device])
  })

  test('a device whose session ended while its address was on the way is not told of anything', async () => {
    const app = await open(engine)
    const here = await app.services.auth.login({ ...owner, address: 'there' })
    const session = await app.services.auth.findSession(here.token)
    const { address } = subscribe()
    const bytes = new TextEncoder().encode(JSON.stringify({ address, label: 'Otro' }))
    const body = new ReadableStream<Uint8Array>(
      {
        start: (stream) => stream.enqueue(bytes.subarray(0, 20)),
        pull: async (stream) => {
          if (session) await app.services.auth.logout(session)
          stream.enqueue(bytes.subarray(20))
          stream.close()
        },
      },
      { highWaterMark: 0 },
    )
    // Node wants to be told that the body comes bit by bit; the library's types do not know.
    const request: RequestInit & { readonly duplex: 'half' } = {
      method: 'POST',
      headers: { authorization: `Bearer${here.token}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    }
    const answer = await createApp(app.services).request(`/api/${ownerCalls.devices}`, request)
    expect([answer.status, await list(app)]).toEqual([401, []])
  })

  test('nor is one that asks in the moment in which its sign-in is closed', async () => {
    const app = await open(engine)
    const { token } = await app.services.auth.login({ ...owner, address: 'there' })
    const session = await app.services.auth.findSession(token)
    const headers = { authorization: `Bearer${token}` }
    const body = { address: subscribe().address, label: 'Otro' }
    const answer = await callDuring(
      app.db,
      (t) => closeSignIn(t, session?.signInId ?? ''),
      () => app.call('POST', ownerCalls.devices, { body, headers }),
    )
    expect([refusal(answer), await list(app)]).toEqual([
      { status: 401, code: 'sesion-requerida' },
      [],
    ])
  })

  test('the same address again is the same device, put right', async () => {
    const app = await open(engine)
    const { address } = subscribe('https://push.example.com/uno')
    const first = membersOf(await add(app, address))
    app.pushes.answers.push({ state: 'rejected', why: 'No.' })
    await app.asOwner('POST', `${ownerCalls.devices}/test/${String(first['id'])}`)
    expect((await list(app))[0]?.trouble).toBe('No.')
    const again = await add(app, subscribe('https://push.example.com/uno').address, 'Móvil')
    expect(again.status).toBe(200)
    expect(membersOf(again)).toMatchObject({ id: first['id'], label: 'Móvil', trouble: '' })
    const tabs = ['a', 'b', 'c'].map((label) =>
      add(app, { kind: 'fcm', fid: 'c0123456789' }, label),
    )
    for (const { status } of await Promise.all(tabs)) expect([200, 201]).toContain(status)
    expect(await list(app)).toHaveLength(2)
  })

  test('the key of a call keeps a repeated one from adding a device removed since', async () => {
    const app = await open(engine)
    const body = { address: subscribe().address, label: 'Teléfono' }
    const headers = { [idempotencyHeader]: 'activar-1' }
    const added = await app.asOwner('POST', ownerCalls.devices, { body, headers })
    await app.asOwner('DELETE', `${ownerCalls.devices}/${String(membersOf(added)['id'])}`)
    await app.asOwner('POST', ownerCalls.devices, { body, headers })
    expect(await list(app)).toEqual([])
  })

  test('one device too many is refused until another is removed', async () => {
    const app = await open(engine)
    const ids: string[] = []
    for (let i = 0; i < maxDevices; i++) ids.push(await addedId(app, subscribe().address))
    const one = subscribe()
    expect(refusal(await add(app, one.address))).toEqual({
      status: 409,
      code: 'demasiados-dispositivos',
    })
    const removed = await app.asOwner('DELETE', `${ownerCalls.devices}/${ids[3]}`)
    expect([removed.status, removed.json]).toEqual([200, { mensaje: pushTexts.deviceRemoved }])
    expect((await app.asOwner('DELETE', `${ownerCalls.devices}/${ids[3]}`)).status).toBe(404)
    expect((await add(app, one.address)).status).toBe(201)
  })

  test('of two that ask for the last place at once one gets it', async () => {
    const app = await open(engine)
    for (let i = 1; i < maxDevices; i++) await add(app, subscribe().address)
    const { signInId = '' } = (await app.services.auth.findSession(app.token)) ?? {}
    const first = { address: subscribe().address, label: 'Uno', signInId, heal: false }
    const answer = await callDuring(
      app.db,
      (t) => saveDevice(t, { ...first, now: app.services.now() }),
      () => add(app, subscribe().address),
    )
    expect(refusal(answer)).toEqual({ status: 409, code: 'demasiados-dispositivos' })
    expect(await list(app)).toHaveLength(maxDevices)
    expect((await add(app, first.address)).status).toBe(200)
  })

  test('a device taken off the list puts itself back only when the owner turns it on', async () => {
    const app = await open(engine)
    const { address } = subscribe()
    const heal = () =>
      app.asOwner('POST', ownerCalls.devices, { body: { address, label: 'Teléfono', heal: true } })
    expect((await heal()).status).toBe(201)
    expect((await heal()).status).toBe(200)
    await app.asOwner('DELETE', `${ownerCalls.devices}/${(await list(app))[0]?.id}`)
    expect(refusal(await heal())).toEqual({ status: 410, code: 'dispositivo-quitado' })
    expect(await list(app)).toEqual([])
    expect((await add(app, address)).status).toBe(201)
    expect((await heal()).status).toBe(200)
  })

  test('nor does it in the moment in which she takes it off', async () => {
    const app = await open(engine)
    const { address } = subscribe()
    const id = await addedId(app, address)
    const body = { address, label: 'Teléfono', heal: true }
    const answer = await callDuring(
      app.db,
      (t) => takeOffList(t, id, app.services.now()),
      () => app.asOwner('POST', ownerCalls.devices, { body }),
    )
    expect(refusal(answer)).toEqual({ status: 410, code: 'dispositivo-quitado' })
    expect(await list(app)).toEqual([])
  })

  test('a device that its push service gave up mends itself', async () => {
    const app = await open(engine)
    const { address } = subscribe()
    const id = await addedId(app, address)
    app.pushes.answers.push({ state: 'gone' })
    await app.asOwner('POST', `${ownerCalls.devices}/test/${id}`)
    const body = { address, label: 'Teléfono', heal: true }
    expect((await app.asOwner('POST', ownerCalls.devices, { body })).status).toBe(201)
  })

  test('what was taken off the list is remembered for ninety days, and of 200 devices', async () => {
    const app = await open(engine)
    const { db } = app
    for (let n = 0; n < 202; n++) {
      app.pass(1000)
      await rememberRemoved(db, `aparato-${n}`, app.services.now())
    }
    const knows = (n: number) => isRemoved(db, `aparato-${n}`, app.services.now())
    expect([await knows(1), await knows(2), await knows(201)]).toEqual([false, true, true])
    app.pass(90 * 24 * hourMs - 1)
    expect(await knows(201)).toBe(true)
    app.pass(1)
    expect(await knows(201)).toBe(false)
    await rememberRemoved(db, 'otro', app.services.now())
    expect(await db.selectFrom('removed_device').selectAll().execute()).toHaveLength(1)
  })

  test('signing out silences the device, whether or not it said so itself', async () => {
    const app = await open(engine)
    await add(app, subscribe().address, 'Mío')
    const { token } = await app.services.auth.login({ ...owner, address: '' })
    const body = { address: subscribe().address, label: 'Del café' }
    const headers = { authorization: `Bearer${token}` }
    await app.call('POST', ownerCalls.devices, { body, headers })
    expect((await app.call('POST', ownerCalls.logout, { headers })).status).toBe(204)
    expect(await labels(app)).toEqual(['Mío'])
  })

  test('ending the other sessions silences the devices they turned on', async () => {
    const app = await open(engine)
    await add(app, subscribe().address, 'Mío')
    const { token } = await app.services.auth.login({ ...owner, address: '' })
    const body = { address: subscribe().address, label: 'Del ladrón' }
    const headers = { authorization: `Bearer${token}` }
    await app.call('POST', ownerCalls.devices, { body, headers })
    expect(await labels(app)).toEqual(['Mío', 'Del ladrón'])
    await app.asOwner('POST', ownerCalls.logoutOthers)
    expect(await labels(app)).toEqual(['Mío'])
  })
})

test('the test button says in words what happened', async () => {
  const app = await openApp()
  const id = await addedId(app, subscribe().address)
  const press = async () => {
    const { status, json } = await app.asOwner('POST', `${ownerCalls.devices}/test/${id}`)
    return [status, json]
  }
  const why = 'El servicio de avisos pide esperar.'
  const { sent, retry, rejected, gone } = pushTexts.tested
  expect(await press()).toEqual([200, { state: 'sent', mensaje: sent }])
  expect(app.pushes.sent[0]?.message).toMatchObject({ type: 'test', title: 'Aviso de prueba' })
  app.pushes.answers.push({ state: 'retry', why }, { state: 'rejected', why }, { state: 'gone' })
  expect(await press()).toEqual([200, { state: 'retry', mensaje: fill(retry, { why }) }])
  expect(await press()).toEqual([200, { state: 'rejected', mensaje: fill(rejected, { why }) }])
  expect(await press()).toEqual([200, { state: 'gone', mensaje: gone }])
  expect(await list(app)).toEqual([])
  expect((await press())[0]).toBe(404)
})

test('the server offers the key to subscribe with', async () => {
  const app = await openApp()
  const { json } = await app.asOwner('GET', ownerCalls.push)
  expect(json).toEqual({ publicKey: 'clave', kind: 'webpush' })
})

const good = subscribe().address
const withKeys = (keys: object) => ({
  kind: 'webpush',
  subscription: { ...good.subscription, keys: { ...good.subscription.keys, ...keys } },
})
const at = (endpoint: unknown) => ({
  kind: 'webpush',
  subscription: { ...good.subscription, endpoint },
})

test.each([
  ['nothing', undefined],
  ['another kind', { kind: 'paloma' }],
  ['no subscription', { kind: 'webpush' }],
  ['plain http', at('http://push.example.com/1')],
  ['this machine', at('https://127.0.0.1/1')],
  ['an endless endpoint', at(`https://push.example.com/${'x'.repeat(3000)}`)],
  ['a short key', withKeys({ p256dh: 'AAAA' })],
  [
    'a key that is no point of the curve',
    withKeys({ p256dh: Buffer.alloc(65, 4).toString('base64url') }),
  ],
  ['a short secret', withKeys({ auth: 'AAAA' })],
  ['an installation that cannot be', { kind: 'fcm', fid: '../../x' }],
])('an address with %s is refused', async (_, address) => {
  const app = await openApp()
  const refused = await add(app, address)
  expect(refusal(refused)).toEqual({
    status: 422,
    code: 'datos-no-validos',
    fields: ['/address'],
  })
  expect(await list(app)).toEqual([])
})

test('a device without a usable name still has one', async () => {
  const app = await openApp()
  for (const label of [null, '', 7, 'x'.repeat(maxDeviceLabel + 1), 'a\u0000b']) {
    await add(app, subscribe().address, label)
  }
  await add(app, subscribe().address, ' Chrome\n en  Android ')
  const nameless = pushTexts.namelessDevice
  expect(await labels(app)).toEqual([...Array<string>(5).fill(nameless), 'Chrome en Android'])
})
