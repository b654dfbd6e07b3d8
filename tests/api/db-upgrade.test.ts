import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, inject, test, vi } from 'vitest'
import { findSession } from '#server/access/session.ts'
import { listSignIns } from '#server/access/sign-in.ts'
import { hashToken } from '#server/access/token.ts'
import { accessCalls } from '#contract/access/access.ts'
import { calls } from '#contract/api.ts'
import { isHidden } from '#contract/entries/hidden.ts'
import { certificate } from '#contract/sections/certificate.ts'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { createApp } from '#server/api/app.ts'
import { createBackups } from '#server/backup/backups.ts'
import { openBackup } from '#server/backup/read-backup.ts'
import { appliedMigrations, openAsItIs } from '#server/db/as-it-is.ts'
import { listEntries, updateEntry } from '#server/db/entries.ts'
import { allMigrations } from '#server/db/migrations/all.ts'
import { openDb, type DbTarget } from '#server/db/open.ts'
import type { Db, Tables } from '#server/db/tables.ts'
import { openFolder } from '#server/images/folder.ts'
import { readFolder } from '#server/messages/folders.ts'
import { softAuthenticator } from '#tests/doubles/soft-authenticator.ts'
import { assemble, membersOf, openApp, type CallAnswer, type Json } from '#tests/support/app.ts'
import {
  engines,
  freshFolder,
  freshTarget,
  openBeside,
  openForTest,
  openOld,
} from '#tests/support/database.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { owner } from '#tests/support/site.ts'

const site = { origin: 'https://lucia.example', rpId: 'lucia.example' }
const ours = { origin: site.origin, 'sec-fetch-site': 'same-origin' }
const challengeIn = (answer: CallAnswer) => String(membersOf(answer)['challenge'])

/** What the tables of the owner's access were before sessions stood on a list. */
interface OldTables {
  owner: Record<'id' | 'user_name' | 'password' | 'created_at', string>
  session: Record<'token_hash' | 'owner_id' | 'role' | 'created_at' | 'seen_at', string>
  device: Record<
    'id' | 'kind' | 'address_key' | 'address' | 'label' | 'session_hash' | 'created_at' | 'trouble',
    string
  >
}

/** A database as the first version left it, with one message. */
async function leaveOldDatabase(target: DbTarget): Promise<void> {
  const db = await openOld<Tables>(target, '0001-first')
  const message = { id: 'm1', name: 'Eva', email: 'eva@example.com', message: 'Hola' }
  const state = { received_at: '2030-01-01T00:00:00.000Z', spam: 1, spam_reason: 'honeypot' }
  await db
    .insertInto('contact_message')
    .values({ ...message, ...state, read_at: null })
    .execute()
  await db.destroy()
}

/** What a table says, column by column. */
async function leftIn(target: DbTarget, table: string): Promise<readonly unknown[]> {
  const db = await openAsItIs(target)
  const { rows } = await sql`select * from ${sql.table(table)}`.execute(db)
  await db.destroy()
  return rows
}

describe.each(engines)('on %s', (engine) => {
  test('messages of the first version are in their folders, and nobody is rung for them', async () => {
    const target = await freshTarget(engine)
    await leaveOldDatabase(target)
    const { db } = await openForTest(target)
    const { messages } = await readFolder(db, 'spam')
    expect(messages).toMatchObject([
      {
        id: 'm1',
        name: 'Eva',
        answeredAt: null,
        tray: 'spam',
        spamReason: 'completar un campo que las personas no ven',
      },
    ])
    const rows = await db.selectFrom('contact_message').select('rung').execute()
    expect(rows.map(({ rung }) => rung)).toEqual([1])
    expect(await db.selectFrom('job').select('id').execute()).toEqual([])
  })

  test('an owner signed in before sessions stood on a list stays so, and her device rings', async () => {
    const target = await freshTarget(engine)
    const token = 'A'.repeat(43)
    const [token_hash, moment] = [hashToken(token), new Date().toISOString()]
    const old = await openOld<OldTables>(target, '0003-removed-devices')
    const former = { id: 'owner', user_name: 'l@ejemplo.test', password: '' }
    await old
      .insertInto('owner')
      .values({ ...former, created_at: moment })
      .execute()
    const session = { token_hash, owner_id: 'owner', role: 'ROLE_ADMIN' }
    await old
      .insertInto('session')
      .values({ ...session, created_at: moment, seen_at: moment })
      .execute()
    const device = { id: 'd', kind: 'webpush', address_key: 'a', address: '{}', label: 'L' }
    await old
      .insertInto('device')
      .values({ ...device, session_hash: token_hash, created_at: moment, trouble: '' })
      .execute()
    await old.destroy()
    const { db } = await openForTest(target)
    const found = await findSession(db, token, new Date())
    expect(found).toMatchObject({ tokenHash: token_hash })
    const kept = await db.selectFrom('sign_in').select('kept_hash').execute()
    expect(kept).toEqual([{ kept_hash: null }])
    const list = await listSignIns(db, 'owner')
    expect(list.map(({ id, seenAt }) => [id, seenAt])).toEqual([[found?.signInId, moment]])
    const devices = await db.selectFrom('device').select('sign_in_id').execute()
    expect(devices).toEqual([{ sign_in_id: found?.signInId }])
  })

  test('entries of before they could be hidden are everybody’s, and can be hidden', async () => {
    const target = await freshTarget(engine)
    const old = await openOld<{ proyect: Record<string, string | number> }>(target, '0014-history')
    await old.schema
      .createTable('proyect')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    const row = { id: '1', position: 1, version: 1, name: 'Radio' }
    await old.insertInto('proyect').values(row).execute()
    await old.destroy()
    const { db } = await openForTest(target)
    const hiddenNow = async () => (await listEntries(db, project)).map(isHidden)
    expect(await hiddenNow()).toEqual([false])
    await updateEntry(db, project, { id: '1', patch: { hidden: 'true' } })
    expect(await hiddenNow()).toEqual([true])
  })

  test('messages, pictures and passkeys go on when their tables change', async () => {
    const app = await openApp({ engine, env: { PUBLIC_URL: site.origin } })
    const authenticator = softAuthenticator()
    const asked = await app.asOwner('POST', accessCalls.passkeyOptions, {
      body: { currentPassword: owner.password },
      headers: ours,
    })
    const response = authenticator.make({ ...site, challenge: challengeIn(asked) })
    const made = { body: { response }, headers: ours }
    expect((await app.asOwner('POST', accessCalls.passkeys, made)).status).toBe(201)
    const words = 'Hola, Lucía: ¿harías una mesa de roble para el taller?'
    const body = { name: 'Eva', email: 'eva@example.com', message: words }
    expect((await app.call('POST', calls.contact, { body })).status).toBe(201)
    const { buffer } = await colourSquare('#0a7')
    const picture = new Blob([new Uint8Array(buffer)]).stream()
    const { images, config } = app.services
    await images.put({ type: 'Person', name: 'perfil_1', body: picture })

    const target = await freshTarget(engine)
    const old = await openOld<
      Tables & {
        passkey_challenge: Record<'challenge_hash' | 'purpose' | 'holder' | 'made_at', string>
      }
    >(target, '0016-alternative-texts')
    type Later = { digests?: string; arrival?: number }
    for (const table of ['owner', 'passkey', 'contact_message', 'image'] as const) {
      const rows = await app.db.selectFrom(table).selectAll().execute()
      for (const { digests: _, arrival: __, ...row } of rows as Later[]) {
        await old.insertInto(table).values(row).execute()
      }
    }
    const challenge = { challenge_hash: 'c', purpose: 'sign-in', holder: '' }
    await old
      .insertInto('passkey_challenge')
      .values({ ...challenge, made_at: app.services.now().toISOString() })
      .execute()
    await old.destroy()

    const opened = await openForTest(target)
    const { env, now } = { env: { PUBLIC_URL: site.origin }, now: app.services.now }
    const { services } = await assemble({ opened, dataDir: config.dataDir, env, now })
    const renewed = createApp(services)
    const post = async (path: string, sent: unknown) => {
      const headers = { ...ours, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(sent) }
      const answer = await renewed.request(`/api/${path}`, init)
      return { status: answer.status, headers: answer.headers, json: (await answer.json()) as Json }
    }
    const toSign = challengeIn(await post(accessCalls.passkeyChallenge, {}))
    const signed = authenticator.sign({ ...site, challenge: toSign })
    expect((await post(accessCalls.passkeySignIn, { response: signed })).status).toBe(200)
    expect((await post(accessCalls.passkeySignIn, { response: signed })).status).toBe(401)
    const [before] = (await readFolder(opened.db, 'inbox')).messages
    expect(before).toMatchObject({ ...body, arrival: 0 })
    const [image] = await app.db.selectFrom('image').select('digests').execute()
    const digests = async () => opened.db.selectFrom('image').select('digests').execute()
    expect(await digests()).toEqual([{ digests: '' }])
    await services.images.sweep()
    expect(await digests()).toEqual([image])
    // What says the same as two of the day, one of them of before, is no person's.
    for (const copy of ['otra', 'vez']) {
      const message = { ...body, email: `${copy}@example.com` }
      expect((await post(calls.contact, message)).status).toBe(201)
    }
    expect((await readFolder(opened.db, 'spam')).total).toBe(1)
    // Of what came before all came in one, and whatever comes now came after it.
    const arrivals = (await readFolder(opened.db, 'inbox')).messages.map(({ arrival }) => arrival)
    expect(arrivals).toEqual([expect.any(Number), 0])
    expect(arrivals[0]).toBeGreaterThan(0)
  })

  test('a device that was kept signed in before the line of its cookies was remembered stays so', async () => {
    const app = await openApp({ engine })
    const cookieIn = (headers: Headers) => headers.get('set-cookie')?.split(';')[0] ?? ''
    const authorization = `Bearer${app.token}`
    const kept = await app.call('POST', accessCalls.keep, { headers: { ...ours, authorization } })
    const spent = cookieIn(kept.headers)
    const renewal = { body: {}, headers: { ...ours, cookie: spent } }
    const last = cookieIn((await app.call('POST', accessCalls.kept, renewal)).headers)

    const target = await freshTarget(engine)
    const old = await openOld<Tables>(target, '0019-signed-challenges')
    const tables = (await old.introspection.getTables()).map(({ name }) => name)
    const copied = tables.filter((name) => !name.startsWith('kysely_')) as (keyof Tables)[]
    const rowsOf = async (db: Db, name: keyof Tables) => {
      const rows: { earlier_renewals?: string }[] = await db.selectFrom(name).selectAll().execute()
      for (const row of rows) delete row.earlier_renewals
      return rows
    }
    for (const name of copied) {
      await old.deleteFrom(name).execute()
      for (const row of await rowsOf(app.db, name)) await old.insertInto(name).values(row).execute()
    }
    await old.destroy()

    const opened = await openForTest(target)
    for (const name of copied) {
      expect([name, await rowsOf(opened.db, name)]).toEqual([name, await rowsOf(app.db, name)])
    }
    const { now, config } = app.services
    const { services } = await assemble({ opened, dataDir: config.dataDir, env: {}, now })
    const renewed = createApp(services)
    const renew = (cookie: string) => {
      const headers = { ...ours, cookie, 'content-type': 'application/json' }
      return renewed.request(`/api/${accessCalls.kept}`, { method: 'POST', headers, body: '{}' })
    }
    // The answer to the exchange before may have been lost: what the device holds then is still hers.
    const again = await renew(spent)
    expect(again.status).toBe(200)
    expect((await renew(cookieIn(again.headers))).status).toBe(200)
    expect((await renew(last)).status).toBe(401)
  })

  test('a section that came later takes no table of another application’s for its own', async () => {
    const { key, fields } = certificate
    const target = await freshTarget(engine)
    const { db, close } = await openDb(target, 0)
    await db.schema.dropTable(key).execute()
    const named = Object.keys(fields).map((name) => `${name} text not null default ''`)
    const shape = ['id text primary key', 'position integer not null', 'version integer not null']
    await sql.raw(`create table ${key} (${[...shape, ...named].join(', ')})`).execute(db)
    await sql.raw(`insert into ${key} (id, position, version) values ('a', 1, 7)`).execute(db)
    await close()
    const before = await leftIn(target, key)
    await expect(openDb(target)).rejects.toThrow(fill(cliTexts.takenSections, { names: key }))
    expect(await leftIn(target, key)).toEqual(before)

    const theirs = await openAsItIs(target)
    await sql.raw(`alter table ${key} rename to otra_lista`).execute(theirs)
    await theirs.destroy()
    const started = await openForTest(target)
    expect(await listEntries(started.db, certificate)).toEqual([])
    // From then on it is known for the site's own.
    await openForTest(target)
  })

  test('a version from before entries could be hidden refuses to show them', async () => {
    const target = await freshTarget(engine)
    await openForTest(target)
    const applied = await openAsItIs(target)
    expect(await appliedMigrations(applied)).toContain('0015-hidden-entries')
    await applied.destroy()
    await expect(openOld(target, '0014-history')).rejects.toThrow('no old database')
  })
})

describe.skipIf(inject('postgresUrl') === '')('a start that brings the tables up to date', () => {
  const latest = Object.keys(allMigrations('postgres')).at(-1)

  test('goes on where another one has done so meanwhile', async () => {
    const target = await freshTarget('postgres')
    await (await openOld(target, '0018-message-indexes')).destroy()
    const opened = await openDb(target, 0, async () => {
      await (await openDb(target, 0)).close()
      throw new Error('a backup of tables that have changed')
    })
    expect(await appliedMigrations(opened.db)).toContain(latest)
    await opened.close()
  })

  test('keeps the backup from before where another one has changed the tables meanwhile', async () => {
    const target = await freshTarget('postgres')
    const [folder, last] = [await freshFolder(), '0018-message-indexes']
    await (await openOld(target, last)).destroy()
    const events: string[] = []
    const using = { now: () => new Date(), log: (event: string) => events.push(event) }
    const parts = { database: target, media: openFolder(folder), folder, ...using }
    const backups = createBackups(parts)
    const opened = await openDb(target, 0, async (migration) => {
      await (
        await openDb(target, 0, (before) => createBackups(parts).make('update', before))
      ).close()
      await backups.make('update', migration)
    })
    await opened.close()
    const [kept, ...others] = await backups.list()
    expect([others, backups.failure, events]).toEqual([[], undefined, ['backup-made']])
    const { manifest, close } = await openBackup(join(folder, kept?.name ?? ''))
    expect(manifest.migration).toBe(last)
    close()
  })

  test('tries again where it waits for a process that serves, and that one for it', async () => {
    const target = await freshTarget('postgres')
    await (await openOld(target, '0017-picture-digests')).destroy()
    const served = await openBeside(target)
    const reads = (t: Db, table: string) => sql`select count(*) from ${sql.table(table)}`.execute(t)
    const waiting = sql<{ n: number }>`
      select count(*) as n from pg_locks where not granted and relation = 'sign_in'::regclass`
    const [opened] = await Promise.all([
      openDb(target, 0),
      served.db.transaction().execute(async (t) => {
        // Whoever looks first is ended.
        await sql`set local deadlock_timeout = '60s'`.execute(t)
        await reads(t, 'sign_in')
        await vi.waitUntil(async () => (await waiting.execute(served.db)).rows[0]?.n === 1, 60_000)
        await reads(t, 'contact_message')
      }),
    ])
    expect(await appliedMigrations(opened.db)).toContain(latest)
    await opened.close()
  })
})
