import { spawnSync } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { readPerson } from '#server/db/person.ts'
import { restoreBackup } from '#server/backup/restore.ts'
import { openFolder } from '#server/images/folder.ts'
import { openServices } from '#server/services.ts'
import { freshFolder, openForTest } from '#tests/support/database.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { runToEnd } from '#tests/support/run-to-end.ts'

/* What somebody puts back into PostgreSQL by other ways than a restore; for SQLite's file see `data-folder.test.ts`. */

const programs = ['pg_dump', 'psql'].every((name) => spawnSync(name, ['--version']).status === 0)
const isPossible = inject('postgresUrl') !== '' && programs

function run(program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = runToEnd(program, args, { encoding: 'utf8', input })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
  return stdout
}

/** Starts a site on the database, lets `act` do something, and resolves to the profile's version. */
async function serve(url: string, act?: (services: Served) => Promise<void>) {
  const env = { DATA_DIR: await freshFolder(), DATABASE_URL: url }
  const { services, close } = await openServices(readConfig(env), () => undefined)
  try {
    await act?.(services)
    return (await readPerson(services.db)).version
  } finally {
    await close()
  }
}

type Served = Awaited<ReturnType<typeof openServices>>['services']

const ways: Readonly<Record<string, readonly string[]>> = {
  'in place of the tables': ['--clean', '--if-exists'],
  'into the tables that are there': ['--data-only'],
}

test.skipIf(!isPossible).each(Object.entries(ways))(
  'a dump that is put back %s gets versions that were never given out, once',
  async (_, how) => {
    const url = await createDatabase(inject('postgresUrl'))
    const first = await serve(url)
    // A start alone is no other life.
    expect(await serve(url)).toBe(first)
    const dump = run('pg_dump', ['--no-owner', ...how, url])
    if (how.includes('--data-only')) {
      const all = `select 'truncate ' || string_agg(format('%I', tablename), ', ') from pg_tables where schemaname = 'public'`
      run('psql', ['-c', run('psql', ['-Atc', all, url]), url])
    }
    run('psql', ['-v', 'ON_ERROR_STOP=1', '-1', url], dump)
    const [second, beside] = await Promise.all([serve(url), serve(url)])
    expect(second).toBeGreaterThan(first)
    expect(beside).toBe(second)
    expect(await serve(url)).toBe(second)
  },
)

test.skipIf(!isPossible)('what a restore puts there begins one life and no second', async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const folder = await freshFolder()
  const media = openFolder(join(folder, 'media'))
  const file = join(folder, 'copia.zip')
  await serve(url, async ({ backups }) => {
    const { name } = await backups.make('hand')
    await copyFile((await backups.find(name)) ?? '', file)
  })
  const database = { engine: 'postgres', url } as const
  await restoreBackup(file, { database, media, now: new Date() })
  const { db } = await openForTest(database)
  const restored = (await readPerson(db)).version
  expect(await serve(url)).toBe(restored)
})
