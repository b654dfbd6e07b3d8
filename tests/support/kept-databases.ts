import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { inject, onTestFinished } from 'vitest'
import { createDatabase } from './postgres.ts'

/*
 * Databases on the tests' PostgreSQL that one test leaves and the next begins with. Each begins as a copy of the one that
 * the product has made: a copy is hundreds of files, while a test writes a few rows. Whatever a test has done to one
 * beside writing rows, it is not used again.
 */

interface KeptDatabase {
  readonly url: string
  readonly client: Client
}

/** A database that nobody has used. */
interface Unused {
  readonly shape: string
  /** What makes one of its shape what it was: none of its rows is left out, none is too many. */
  readonly refill: string
}

/** How many bytes of rows, living and dead, may lie in one: more would cost the next test time. */
const keptBytes = 1_000_000
/** For how long a connection that a test has closed may still be seen at the server, in milliseconds. */
const leavesWithinMs = 5_000

const free: KeptDatabase[] = []
let unused: Promise<Unused> | undefined

/** The address of a database that nobody has used, another test's when this one ends. */
export async function takeDatabase(): Promise<string> {
  const taken = free.pop() ?? (await makeDatabase())
  const before = await (unused ??= readUnused(taken.client))
  // Asked for before anybody opens the database: what is asked for first is done last.
  onTestFinished(() => giveBack(taken, before))
  return taken.url
}

async function makeDatabase(): Promise<KeptDatabase> {
  const url = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'))
  const client = new Client({ connectionString: url })
  // A test may end every connection of its database.
  client.on('error', () => undefined)
  await client.connect()
  return { url, client }
}

async function giveBack(database: KeptDatabase, { shape, refill }: Unused): Promise<void> {
  const { client } = database
  try {
    const { rows } = await client.query<{ shape: string; bytes: string }>(look)
    const [found] = rows
    if (found?.shape !== shape || Number(found.bytes) > keptBytes || !(await isLeft(client))) {
      return await client.end()
    }
    await client.query(refill)
    free.push(database)
  } catch {
    await client.end()
  }
}

/** Whether nobody else is connected any more. A server at work ends a connection some time after it was closed. */
async function isLeft(client: Client): Promise<boolean> {
  for (const until = Date.now() + leavesWithinMs; ; await delay(20)) {
    const { rows } = await client.query<{ others: string }>(`
      select count(*) as others from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
    if (rows[0]?.others === '0') return true
    if (Date.now() > until) return false
  }
}

async function readUnused(client: Client): Promise<Unused> {
  const { rows: looked } = await client.query<{ shape: string }>(look)
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I', relname) as name from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  )
  const refill: string[] = tables.map(({ name }) => `delete from ${name}`)
  for (const { name } of tables) {
    const { rows } = await client.query<{ all: string | null }>(
      `select json_agg(${name})::text as all from ${name}`,
    )
    const all = rows[0]?.all
    if (!all) continue
    refill.push(
      `insert into ${name} select * from json_populate_recordset(null::${name}, ${client.escapeLiteral(all)})`,
    )
  }
  return { shape: looked[0]?.shape ?? '', refill: refill.join(';\n') }
}

/** The first number that PostgreSQL gives to what is made in a database. */
const firstOid = 16_384

/** What a database holds beside rows, and how much room they take. */
const look = `
  select
    (select md5(string_agg(line, chr(10) order by line)) from (
      select concat_ws(' ', 'class', oid, relname, relnamespace, relkind) from pg_class where oid >= ${firstOid}
      union all select concat_ws(' ', 'column', a) from pg_attribute a join pg_class c on c.oid = attrelid
        where c.oid >= ${firstOid} and relkind = 'r' and attnum > 0
      union all select concat_ws(' ', 'constraint', c) from pg_constraint c where oid >= ${firstOid}
      union all select concat_ws(' ', 'trigger', t) from pg_trigger t where oid >= ${firstOid}
      union all select concat_ws(' ', 'function', oid, proname, prosrc) from pg_proc where oid >= ${firstOid}
      union all select concat_ws(' ', 'schema', n) from pg_namespace n where oid >= ${firstOid}
      union all select concat_ws(' ', 'sequence', schemaname, sequencename, last_value) from pg_sequences
      union all select concat_ws(' ', 'setting', setconfig) from pg_db_role_setting
        join pg_database d on d.oid = setdatabase where datname = current_database()
    ) as described(line)) as shape,
    (select sum(pg_relation_size(oid)) from pg_class where oid >= ${firstOid} and relkind = 'r') as bytes`
