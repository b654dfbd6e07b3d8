import { PostgresDialect, type Dialect } from 'kysely'

const lockTimeoutMs = 5000

/** The dialect on a PostgreSQL server; its driver is loaded only here. */
export async function postgresDialect(url: string): Promise<Dialect> {
  const { default: pg } = await import('pg')
  const types = new pg.TypeOverrides()
  // Counts and sums are bigint, which the driver would hand over as text.
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: lockTimeoutMs,
    options: `-c lock_timeout=${lockTimeoutMs} -c idle_in_transaction_session_timeout=60000`,
    types,
  })
  // A connection lost while idle would end the process; the pool opens another one, and the next query tells if it cannot.
  pool.on('error', () => undefined)
  return new PostgresDialect({ pool })
}
