import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import type { History } from '#contract/entries/history.ts'
import { resumeCalls } from '#contract/resume/resume-calls.ts'
import { project } from '#contract/sections/project.ts'
import { eraseFromBin, putInBin, sweepBin } from '#server/db/bin.ts'
import { removeEntry } from '#server/db/entries.ts'
import { emptyLog } from '#server/db/sqlite-file.ts'
import type { Db } from '#server/db/tables.ts'
import { importResume } from '#server/resume/import-resume.ts'
import { openApp, type TestApp } from '#tests/support/app.ts'
import { callDuring } from '#tests/support/call-during.ts'
import { engines, freshFolder } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'

/* What is erased from the bin is gone, whoever else has its words; and nothing else goes with it. */

const { key } = project
const id = '0190a000-0000-7000-8000-000000000001'
const keptId = '0190a000-0000-7000-8000-0000000000aa'
const item = { name: 'Zarzamora', description: 'De la huerta', url: 'https://zarza.example/' }
const values = (name: string) => ({ ...completeValues(project, { name }), id })

/** An entry under this id had been deleted before: no call makes one under the id of a deleted entry, but it once did. */
async function leaveInBin({ db, services }: TestApp, name: string, under = id): Promise<void> {
  const { id: _, ...fields } = values(name)
  const removed_at = services.now().toISOString()
  await putInBin(db, { kind: key, id: under, fields, position: 1, version: 1, removed_at })
}

/** The same database; what its queries answer is told, and waits for whoever is told. */
function watchResults(db: Db, hear: (rows: string) => Promise<void>): Db {
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await hear(JSON.stringify(result.rows))
      return result
    },
  })
}

/** Brings projects in from a résumé, and tells the id of each by its name. */
async function importProjects(
  app: TestApp,
  projects: readonly { readonly name: string }[],
): Promise<(name: string) => string> {
  await app.db.transaction().execute((t) => importResume(t, { projects }, new Date()))
  const rows = (await app.call('GET', key)).json as readonly { id: string; name: string }[]
  return (name) => rows.find((row) => row.name === name)?.id ?? ''
}

async function erase(app: TestApp, entry: string): Promise<void> {
  await app.asOwner('DELETE', `${key}/delete/${entry}`)
  expect((await app.asOwner('DELETE', `bin/${key}/${entry}`)).status).toBe(200)
}

describe.each(engines)('on %s', (engine) => {
  test('what an import kept of an entry goes with it, and what it kept of others stays', async () => {
    const app = await openApp({ engine })
    const idOf = await importProjects(app, [item, { name: 'Moras' }])
    await erase(app, idOf(item.name))
    const kept = JSON.stringify(await app.db.selectFrom('kept_resume').selectAll().execute())
    expect(kept).not.toContain('Zarzamora')
    expect(kept).toContain('Moras')
  })

  test('of two that are erased in the same moment nothing is left in what an import kept', async () => {
    const app = await openApp({ engine })
    const idOf = await importProjects(app, [item, { name: 'Moras' }])
    const [one, other] = [idOf(item.name), idOf('Moras')]
    for (const each of [one, other]) await app.asOwner('DELETE', `${key}/delete/${each}`)
    const answer = await callDuring(
      app.db,
      (t) => eraseFromBin(t, { kind: key, id: one }),
      () => app.asOwner('DELETE', `bin/${key}/${other}`),
    )
    expect(answer.status).toBe(200)
    const kept = JSON.stringify(await app.db.selectFrom('kept_resume').selectAll().execute())
    expect(kept).not.toMatch(/Zarzamora|Moras/)
  })

  test('an entry made anew under the same id keeps its history and its answers', async () => {
    const app = await openApp({ engine })
    const again = { body: values('Dos'), headers: { 'idempotency-key': 'k2' } }
    expect((await app.asOwner('POST', `${key}/create`, again)).status).toBe(201)
    await leaveInBin(app, 'Uno')
    await app.asOwner('PUT', `${key}/update/${id}`, { body: { name: 'Tres' } })
    expect((await app.asOwner('DELETE', `bin/${key}/${id}`)).status).toBe(200)
    const { versions } = (await app.asOwner('GET', `history/${key}/${id}`)).json as History
    expect(versions).toHaveLength(1)
    expect((await app.asOwner('POST', `${key}/create`, again)).status).toBe(201)
  })

  test('so does it when the bin is swept', async () => {
    const app = await openApp({ engine })
    await app.asOwner('POST', `${key}/create`, { body: values('Dos') })
    await leaveInBin(app, 'Uno')
    await app.asOwner('PUT', `${key}/update/${id}`, { body: { name: 'Tres' } })
    app.pass(31 * dayMs)
    await sweepBin(app.db, app.services.now())
    expect(await app.db.selectFrom('earlier_version').selectAll().execute()).toHaveLength(1)
  })

  test('what is erased while the bin is swept does not come back', async () => {
    const app = await openApp({ engine })
    const idOf = await importProjects(app, [item, { name: 'Moras' }])
    await app.asOwner('DELETE', `${key}/delete/${idOf('Moras')}`)
    app.pass(31 * dayMs)
    await removeEntry(app.db, project, { id: idOf(item.name) })
    await leaveInBin(app, item.name, idOf(item.name))
    const meanwhile = { kind: key, id: idOf(item.name) }
    let erasing: Promise<boolean> | undefined
    let reads = 0
    const db = watchResults(app.db, async (said) => {
      if (!said.includes('Zarzamora') || ++reads < 2) return
      erasing ??= app.db.transaction().execute((t) => eraseFromBin(t, meanwhile))
      // By then it waits for the sweep, or is over.
      await Promise.race([wait(300), erasing])
    })
    expect(await sweepBin(db, app.services.now())).toBe(1)
    expect(await erasing).toBe(true)
    const kept = JSON.stringify(await app.db.selectFrom('kept_resume').selectAll().execute())
    expect(kept).not.toMatch(/Zarzamora|Moras/)
  })

  test('her résumé says nothing of an entry that she hides, whatever an import kept of it', async () => {
    const app = await openApp({ engine })
    const items = [{ member: 'projects', item, ids: [id], isWaiting: true }]
    const body = { said: JSON.stringify({ rest: {}, items }) }
    await app.asOwner('PUT', `${resumeCalls.kept}/${keptId}`, { body })
    const resume = async () => JSON.stringify((await app.asOwner('GET', resumeCalls.resume)).json)
    expect(await resume()).toContain('Zarzamora')
    const made = { ...values('Zarzamora'), hidden: 'true' }
    expect((await app.asOwner('POST', `${key}/create`, { body: made })).status).toBe(201)
    expect(await resume()).not.toContain('Zarzamora')
  })
})

test('of what an import made no word is left in the file once it is erased', async () => {
  const file = join(await freshFolder(), 'tintero.sqlite')
  const app = await openApp({ file })
  const idOf = await importProjects(app, [item])
  await erase(app, idOf(item.name))
  const files = await Promise.all([file, `${file}-wal`].map((name) => readFile(name)))
  expect(files.some((bytes) => bytes.includes('Zarzamora'))).toBe(false)
})

test('a log that cannot be emptied, since somebody reads in it, is told', async () => {
  const file = join(await freshFolder(), 'tintero.sqlite')
  const app = await openApp({ file })
  await app.asOwner('POST', `${key}/create`, { body: values('Uno') })
  const reader = new DatabaseSync(file, { readOnly: true })
  reader.exec('begin')
  reader.prepare('select * from bin').all()
  await app.asOwner('PUT', `${key}/update/${id}`, { body: { name: 'Dos' } })
  await expect(emptyLog(app.db, 'sqlite')).rejects.toThrow('reads')
  reader.close()
  await emptyLog(app.db, 'sqlite')
})
