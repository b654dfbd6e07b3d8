import {
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SelectQueryNode,
  sql,
  type DatabaseConnection,
  type DatabaseMetadataOptions,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  type TableMetadata,
  type TransactionSettings,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { LostConnection } from './errors.ts'
import { isOwnTable } from './own-tables.ts'
import { isUnreachable, untilReachable } from './postgres-reach.ts'

/*
 * Kysely on a pool of connections that may be lost at any moment: the server restarts, another machine takes over,
 * somebody ends a connection, the server stands still. Nothing waits longer than these limits, what is lost is never
 * used again, and what certainly did nothing is tried again.
 */

/** How long things may take, in milliseconds. */
interface PostgresPatience {
  /** What the server calls these connections, and how a command sees that a site is being served. */
  readonly name: string
  /** Until there is a connection, new or given back. */
  readonly connectMs: number
  /** For what another process holds. */
  readonly lockMs: number
  /** One statement, by the server's own clock … */
  readonly statementMs: number
  /** … and by ours, for a server that stands still. */
  readonly answerMs: number
}

export const servingName = 'tintero'

/** While calls wait. */
export const serving: PostgresPatience = {
  name: servingName,
  connectMs: 4000,
  lockMs: 4000,
  statementMs: 5000,
  answerMs: 6000,
}

/** For whoever only looks at the database; a site is not served by that. */
export const looking: PostgresPatience = { ...serving, name: 'tintero-look' }

/** While tables are made or changed, or everything is read for a backup. */
export const unhurried: PostgresPatience = {
  name: 'tintero-upkeep',
  connectMs: 10_000,
  lockMs: 60_000,
  statementMs: 600_000,
  answerMs: 610_000,
}

/** After so long a transaction of which nothing comes is ended by the server, whose process may be gone. */
export const idleMs = 60_000

/** The dialect on a PostgreSQL server; its driver is loaded only here. */
export async function postgresDialect(
  url: string,
  patience = serving,
  schema?: string,
): Promise<Dialect> {
  const { default: pg } = await import('pg')
  const types = new pg.TypeOverrides()
  // Counts and sums are bigint, which the driver would hand over as text.
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const { address, options } = withoutOurs(url)
  const createPool = () => {
    const pool = new pg.Pool({
      connectionString: address,
      application_name: patience.name,
      // One stays, so that a site that nobody visits is seen to be served.
      min: patience === serving ? 1 : 0,
      connectionTimeoutMillis: patience.connectMs,
      query_timeout: patience.answerMs,
      keepAlive: true,
      options: [
        // Of one setting the last word holds.
        ...options,
        `-c lock_timeout=${patience.lockMs}`,
        `-c statement_timeout=${patience.statementMs}`,
        `-c idle_in_transaction_session_timeout=${idleMs}`,
        ...(schema === undefined ? [] : [`-c search_path=${schema}`]),
      ].join(' '),
      types,
    })
    // A lost connection says so once more to nobody in particular, in use or not; unheard, that would end the process.
    pool.on('connect', (client) => client.on('error', () => undefined))
    pool.on('error', () => undefined)
    return pool
  }
  return {
    createDriver: () => new PostgresDriver(createPool()),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new OwnSchema(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/** What is set here for every connection, by the names that an address may give it. */
const ours = [
  'application_name',
  'lock_timeout',
  'statement_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
]

/**
 * The address without what is ours to say, and what it asks of the server beside that. The driver lets an address win over
 * what it is told with it: a restore would neither see the site that is served nor stay in its own schema.
 */
function withoutOurs(url: string): { address: string; options: readonly string[] } {
  const at = url.indexOf('?')
  if (at === -1) return { address: url, options: [] }
  const parts = url.slice(at + 1).split('&')
  // What is not ours stays as it was written: the driver encodes an address anew that has a space in it, and a path then names another file.
  const kept = parts.filter((part) => !isOf(part, ['options', ...ours]))
  const options = new URLSearchParams(parts.filter((part) => isOf(part, ['options'])).join('&'))
  return { address: `${url.slice(0, at)}?${kept.join('&')}`, options: options.getAll('options') }
}

/** Whether a part of a query sets one of these. */
const isOf = (part: string, names: readonly string[]) =>
  [...new URLSearchParams(part).keys()].some((name) => names.includes(name))

/** Only the site's tables in the schema in use: beside them may lie another application's, and what a restore has put aside. */
class OwnSchema extends PostgresIntrospector {
  readonly #db: Kysely<unknown>

  constructor(db: Kysely<unknown>) {
    super(db)
    this.#db = db
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    const { rows } = await sql<{
      schema: string
      index: string | null
    }>`select current_schema() as schema, indexname as index from (select) as one left join pg_indexes on schemaname = current_schema()`.execute(
      this.#db,
    )
    const indexes = new Set(rows.flatMap(({ index }) => index ?? []))
    return (await super.getTables(options)).filter(
      (table) => table.schema === rows[0]?.schema && isOwnTable(table, indexes),
    )
  }
}

class PostgresDriver implements Driver {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async init() {
    // Connections are made when first needed.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new PostgresConnection(this.#pool, await untilReachable(() => this.#pool.connect()))
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    await toOwn(connection).begin(settings)
  }
  async commitTransaction(connection: DatabaseConnection) {
    await toOwn(connection).commit()
  }
  async rollbackTransaction(connection: DatabaseConnection) {
    await toOwn(connection).rollback()
  }

  async releaseConnection(connection: DatabaseConnection) {
    toOwn(connection).release()
  }

  async destroy() {
    await this.#pool.end()
  }
}

function toOwn(connection: DatabaseConnection): PostgresConnection {
  if (connection instanceof PostgresConnection) return connection
  throw new TypeError('a connection of another driver')
}

/** What Kysely sees as a connection: one caller's hold on a connection of the pool, replaced when it is lost before anything depends on it. */
class PostgresConnection implements DatabaseConnection {
  readonly #pool: Pool
  /** Undefined while a lost one is being replaced. */
  #client: PoolClient | undefined
  #lost: LostConnection | undefined
  #inTransaction = false

  constructor(pool: Pool, client: PoolClient) {
    this.#pool = pool
    this.#client = client
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const isRead = !this.#inTransaction && SelectQueryNode.is(query.query)
    // Inside a transaction whatever was done before is undone with the connection.
    const undone = isRead || this.#inTransaction
    if (!isRead) return this.#send<R>(query, undone)
    return untilReachable(async () => {
      if (this.#lost) await this.#replace()
      return this.#send<R>(query, undone)
    })
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncGenerator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  /** Nothing was done yet, so a connection that was lost while it lay in the pool only costs another try. */
  async begin({ isolationLevel }: TransactionSettings) {
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    await untilReachable(async () => {
      if (this.#lost) await this.#replace()
      await this.#send(CompiledQuery.raw(`begin${level}`), true)
    })
    this.#inTransaction = true
  }

  async commit() {
    await this.#send(CompiledQuery.raw('commit'), false)
    this.#inTransaction = false
  }

  /** A lost connection needs none: the server undoes what was not committed. */
  async rollback() {
    this.#inTransaction = false
    if (this.#lost) return
    // One that fails takes the connection with it, and the transaction too.
    await this.#send(CompiledQuery.raw('rollback'), true).catch(() => undefined)
  }

  release() {
    this.#client?.release(this.#lost)
    this.#client = undefined
  }

  async #replace() {
    this.release()
    this.#client = await this.#pool.connect()
    this.#lost = undefined
  }

  async #send<R>(
    { sql: text, parameters }: CompiledQuery,
    undone: boolean,
  ): Promise<QueryResult<R>> {
    if (this.#lost) throw this.#lost
    if (!this.#client) throw new Error('the connection was given back')
    try {
      const { command, rowCount, rows } = await this.#client.query(text, [...parameters])
      if (text === 'commit' && command === 'ROLLBACK') {
        throw new Error('the transaction was aborted')
      }
      return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      if (!isUnreachable(error)) throw error
      this.#lost = new LostConnection(undone, error)
      throw this.#lost
    }
  }
}
