import { execFile } from 'node:child_process'
import { copyFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { createEntry, listEntries } from '#server/db/entries.ts'
import { readPerson, updatePerson } from '#server/db/person.ts'
import { toDbError } from '#server/db/errors.ts'
import { openDb } from '#server/db/open.ts'
import { openApp, refusal } from '#tests/support/app.ts'
import {
  engines,
  freshFolder,
  freshTarget,
  openForTest,
  openFresh,
} from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'

const [section] = sections as readonly [Section, ...Section[]]

async function freshFile(): Promise<string> {
  return join(await freshFolder(), 'data', 'tintero.sqlite')
}

/** A closed database with a profile and some entries in it. */
async function usedFile(): Promise<string> {
  const file = await freshFile()
  const { db, close } = await openDb({ engine: 'sqlite', file })
  await updatePerson(db, { patch: { name: 'Ana' } })
  const values = completeValues(section, { description: 'texto '.repeat(500) })
  for (let i = 0; i < 50; i++) await createEntry(db, section, { values })
  await close()
  return file
}

const refusalToOpen = async (file: string) => {
  const error = await openDb({ engine: 'sqlite', file }).then(
    () => undefined,
    (cause: unknown) => cause,
  )
  return { fault: toDbError(error)?.fault, message: String(error) }
}

/** Another program's connection to the file. */
function otherProgram(file: string): DatabaseSync {
  const other = new DatabaseSync(file)
  onTestFinished(() => other.close())
  return other
}

describe.each(engines)('on %s', (engine) => {
  test('opening a database again keeps what is in it', async () => {
    const target = await freshTarget(engine)
    const first = await openDb(target)
    const entry = await createEntry(first.db, section, { values: completeValues(section) })
    await first.close()
    const { db } = await openForTest(target)
    expect(await listEntries(db, section)).toEqual([entry])
  })

  test('a field a section has gained becomes a column, and old entries have it empty', async () => {
    const target = await freshTarget(engine)
    const first = await openDb(target)
    await first.db.schema.alterTable(section.key).dropColumn('demo').execute()
    await sql`insert into ${sql.table(section.key)} (id, position, version, name) values ('7', 1, 1, 'Vieja')`.execute(
      first.db,
    )
    await first.close()
    const { db } = await openForTest(target)
    expect(await listEntries(db, section)).toMatchObject([
      { id: '7', fields: { name: 'Vieja', demo: '' } },
    ])
    await createEntry(db, section, { values: completeValues(section) })
  })

  test('starts at once on one new database all succeed', async () => {
    const target = await freshTarget(engine)
    const opened = await Promise.all(Array.from({ length: 4 }, () => openForTest(target)))
    const versions = await Promise.all(opened.map(async ({ db }) => (await readPerson(db)).version))
    expect(versions).toEqual([1, 1, 1, 1])
  })

  test('starts at once that all find a section new make its table once', async () => {
    const target = await freshTarget(engine)
    const { db, close } = await openDb(target)
    for (const { key } of sections) await db.schema.dropTable(key).execute()
    await close()
    const opened = await Promise.all(Array.from({ length: 8 }, () => openForTest(target)))
    const lists = await Promise.all(opened.map((each) => listEntries(each.db, section)))
    expect(lists.flat()).toEqual([])
  })

  test('a transaction that fails leaves nothing behind, schema changes included', async () => {
    const { db } = await openFresh(engine)
    const failing = db.transaction().execute(async (t) => {
      await t.schema.createTable('half_made').addColumn('id', 'integer').execute()
      await updatePerson(t, { patch: { name: 'Ana' } })
      throw new Error('half way')
    })
    await expect(failing).rejects.toThrow('half way')
    expect((await db.introspection.getTables()).map(({ name }) => name)).not.toContain('half_made')
    expect((await readPerson(db)).fields['name']).toBe('')
    await updatePerson(db, { patch: { name: 'Eva' } })
  })

  test('a transaction that reads before it writes waits for another writer', async () => {
    const target = await freshTarget(engine)
    const [a, b] = [await openForTest(target), await openForTest(target)]
    const raise = async ({ db }: typeof a) =>
      db.transaction().execute(async (t) => {
        const { version } = await readPerson(t)
        return updatePerson(t, { version, patch: { name: `v${version}` } })
      })
    const outcomes = await Promise.all([a, b, a, b].map(raise))
    const done = outcomes.filter(({ outcome }) => outcome === 'done').length
    expect((await readPerson(a.db)).version).toBe(1 + done)
    // On SQLite writers take turns from their first statement on, so nobody reads what is about to change.
    expect(done).toBeGreaterThanOrEqual(engine === 'sqlite' ? 4 : 1)
  })

  test('a database that a later version has changed is refused', async () => {
    const target = await freshTarget(engine)
    const { db, close } = await openDb(target)
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00.000Z')`.execute(
      db,
    )
    await close()
    await expect(openDb(target)).rejects.toThrow(/Una versión posterior .*9999-later/)
  })
})

test('an answered write is on disk: each commit waits for it, in a write-ahead log', async () => {
  const { db } = await openForTest(await freshTarget('sqlite'))
  const ask = async (pragma: string) =>
    Object.values(
      (await sql.raw<Record<string, unknown>>(`pragma ${pragma}`).execute(db)).rows[0] ?? {},
    )[0]
  expect([await ask('journal_mode'), await ask('synchronous'), await ask('foreign_keys')]).toEqual([
    'wal',
    2,
    1,
  ])
})

test('columns keep to their types', async () => {
  const { db } = await openFresh('sqlite')
  const wrong = sql`insert into ${sql.table(section.key)} (id, position, version) values ('a', 'first', 1)`
  await expect(wrong.execute(db)).rejects.toThrow(/INTEGER/)
  const orphan = { token_hash: 'x', owner_id: 'nobody', role: 'r', created_at: '', seen_at: '' }
  await expect(db.insertInto('session').values(orphan).execute()).rejects.toThrow(/FOREIGN KEY/)
})

test('more kinds of statement than are kept prepared still work', async () => {
  const { db } = await openFresh('sqlite')
  for (let i = 0; i < 450; i++) {
    const { rows } = await sql.raw<{ n: number }>(`select ${i % 250} as n`).execute(db)
    expect(rows[0]?.n).toBe(i % 250)
  }
})

test('reads pass while a write transaction is open, and see what was committed', async () => {
  const { db } = await openFresh('sqlite')
  await updatePerson(db, { patch: { name: 'Antes' } })
  await db.transaction().execute(async (t) => {
    await updatePerson(t, { patch: { name: 'Dentro' } })
    expect((await readPerson(db)).fields['name']).toBe('Antes')
    expect((await readPerson(t)).fields['name']).toBe('Dentro')
  })
  expect((await readPerson(db)).fields['name']).toBe('Dentro')
})

test('a lock held by another program delays a write and stops nothing else', async () => {
  const file = await freshFile()
  const app = await openApp({ file })
  const other = otherProgram(file)
  other.exec('begin immediate')
  let done = false
  const write = app.asOwner('PUT', 'config', { body: { age_text: '31' } }).then((answer) => {
    done = true
    return answer
  })
  for (let i = 0; i < 20; i++) expect((await app.call('GET', 'config')).status).toBe(200)
  expect(done).toBe(false)
  other.exec('commit')
  expect((await write).status).toBe(200)
})

test('a lock held for more than five seconds is answered with 503, and the next writes pass', async () => {
  const file = await freshFile()
  const app = await openApp({ file })
  const other = otherProgram(file)
  const write = () => app.asOwner('PUT', 'config', { body: { age_text: '31' } })
  const transact = () =>
    app.db.transaction().execute((t) => updatePerson(t, { patch: { name: 'Ana' } }))
  other.exec('begin immediate')
  const [transacted, ...refused] = await Promise.all([
    transact().then(() => undefined, toDbError),
    write(),
    write(),
  ])
  expect(transacted?.fault).toBe('busy')
  for (const answer of refused) {
    expect(refusal(answer)).toEqual({ status: 503, code: 'no-disponible' })
    expect(answer.headers.get('retry-after')).toBe('5')
  }
  other.exec('rollback')
  await transact()
  expect((await write()).status).toBe(200)
}, 30_000)

test('a full disk is answered with 507, reads go on, and writing works again when there is space', async () => {
  const { db, asOwner, call } = await openApp({ env: { LIMIT_WRITES: '9999/1' } })
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
  await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + 5}`).execute(db)
  const body = completeValues(section, {
    name: 'Grande',
    repo: `https://example.com/${'x'.repeat(2000)}`,
  })
  let stored = 0
  let answer = await asOwner('POST', `${section.key}/create`, { body })
  for (; answer.status === 201; stored++) {
    answer = await asOwner('POST', `${section.key}/create`, { body })
  }
  expect(refusal(answer)).toEqual({ status: 507, code: 'sin-espacio' })
  expect(stored).toBeGreaterThan(0)
  expect((await call('GET', section.key)).json).toHaveLength(stored)
  await sql`pragma max_page_count = 100000`.execute(db)
  expect((await asOwner('POST', `${section.key}/create`, { body })).status).toBe(201)
  expect((await call('GET', section.key)).json).toHaveLength(stored + 1)
})

test.each([
  ['cut to a third', async (file: string) => truncate(file, 40_000)],
  ['cut to nothing', async (file: string) => truncate(file, 0)],
  ['no database at all', async (file: string) => writeFile(file, 'x'.repeat(8192))],
  [
    'damaged in the middle',
    async (file: string) => {
      const bytes = await readFile(file)
      await writeFile(file, bytes.fill(0xa5, 8192, bytes.length - 8192))
    },
  ],
])('a file %s is refused with the reason and left as it is', async (_, damage) => {
  const file = await usedFile()
  await damage(file)
  const before = await readFile(file)
  const { fault, message } = await refusalToOpen(file)
  expect(fault).toBe('damaged')
  expect(message).toContain(file)
  expect(message).toContain('Restaura una copia')
  expect((await readFile(file)).equals(before)).toBe(true)
})

test('a database that has disappeared is not replaced by an empty one', async () => {
  const file = await usedFile()
  const elsewhere = join(await freshFolder(), 'copy.sqlite')
  await copyFile(file, elsewhere)
  for (const name of await readdir(join(file, '..'))) {
    if (!name.endsWith('.used')) await truncate(join(file, '..', name), 0)
  }
  expect((await refusalToOpen(file)).fault).toBe('damaged')
  await copyFile(elsewhere, file)
  const { db } = await openForTest({ engine: 'sqlite', file })
  expect((await readPerson(db)).fields['name']).toBe('Ana')
})

const killed = `
  import { createEntry } from '#server/db/entries.ts'
  import { openDb } from '#server/db/open.ts'
  import { sections } from '#contract/sections/index.ts'
  const { db } = await openDb({ engine: 'sqlite', file: process.argv[1] })
  for (let i = 0; ; i++) {
    const values = { name: String(i) }
    await db.transaction().execute(async (t) => {
      await createEntry(t, sections[0], { values })
      await createEntry(t, sections[1], { values })
    })
    process.stdout.write(i + '\\n')
    if (i === Number(process.argv[2])) process.kill(process.pid, 'SIGKILL')
  }
`

test.each([3, 17, 40])(
  'a program killed after write %i has lost none of those it answered',
  async (last) => {
    const file = await freshFile()
    const run = promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      killed,
      file,
      String(last),
    ])
    const { stdout, signal } = (await run.catch(
      (error: { stdout: string; signal: string }) => error,
    )) as { stdout: string; signal?: string }
    expect(signal).toBe('SIGKILL')
    const answered = stdout.trim().split('\n').length
    expect(answered).toBeGreaterThanOrEqual(last)
    const { db } = await openForTest({ engine: 'sqlite', file })
    const lists = await Promise.all(sections.slice(0, 2).map((each) => listEntries(db, each)))
    const names = Array.from({ length: last + 1 }, (_, i) => String(i))
    for (const list of lists) expect(list.map(({ fields }) => fields['name'])).toEqual(names)
  },
)
