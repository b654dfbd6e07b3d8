import { DatabaseSync } from 'node:sqlite'
import {
  CompiledQuery,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import { untilUnlocked } from './sqlite-lock.ts'
import { Statements } from './sqlite-statements.ts'

/*
 * Kysely on node:sqlite. Kysely's own SQLite dialect is not used: it begins transactions deferred (a read followed by a
 * write then fails at once beside another writer) and does not roll back schema changes of a failed migration.
 *
 * One connection writes, one query or transaction at a time. Plain selects run on a second connection, which WAL lets
 * read beside any writer. Neither waits inside SQLite, because that would stop the whole process: a lock held by another
 * process is asked for again and again until the time is over.
 */

const settings = [
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  'pragma temp_store = memory',
  'pragma journal_size_limit = 8388608',
  // What is deleted is overwritten: whoever gets the file does not read it in its free pages.
  'pragma secure_delete = on',
].join(';')

/** The dialect on a file, which is made when missing; `:memory:` is a database of its own. */
export function sqliteDialect(file: string): Dialect {
  return {
    createDriver: () => new SqliteFileDriver(file),
    createAdapter: () => new Adapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
  /** The driver puts writes in order itself, so that reads need not wait for them. */
  override get supportsMultipleConnections() {
    return true
  }
}

class SqliteFileDriver implements Driver {
  readonly #file: string
  #writer: Writer | undefined
  #reader: Statements | undefined

  constructor(file: string) {
    this.#file = file
  }

  async init() {
    const db = openFile(this.#file)
    await untilUnlocked(() => db.exec(settings))
    this.#writer = new Writer(new Statements(db))
    if (this.#file !== ':memory:') this.#reader = new Statements(openFile(this.#file, true))
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#writer) throw new Error('the database is not open')
    return new SqliteConnection(this.#writer, this.#reader)
  }

  async beginTransaction(connection: DatabaseConnection) {
    await toOwn(connection).begin()
  }
  async commitTransaction(connection: DatabaseConnection) {
    toOwn(connection).commit()
  }
  async rollbackTransaction(connection: DatabaseConnection) {
    toOwn(connection).rollback()
  }

  /** Nothing to give back: a connection holds the writer only inside a transaction. */
  async releaseConnection() {}

  async destroy() {
    this.#reader?.close()
    this.#writer?.statements.close()
  }
}

function openFile(file: string, readOnly = false): DatabaseSync {
  return new DatabaseSync(file, {
    readOnly,
    timeout: 0,
    enableForeignKeyConstraints: true,
    defensive: true,
  })
}

function toOwn(connection: DatabaseConnection): SqliteConnection {
  if (connection instanceof SqliteConnection) return connection
  throw new TypeError('a connection of another driver')
}

/** What Kysely sees as a connection: one caller's view on the writer and the reader. */
class SqliteConnection implements DatabaseConnection {
  readonly #writer: Writer
  readonly #reader: Statements | undefined
  #release: (() => void) | undefined

  constructor(writer: Writer, reader: Statements | undefined) {
    this.#writer = writer
    this.#reader = reader
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#release) return this.#writer.statements.run<R>(query)
    const reader = this.#reader
    if (reader && SelectQueryNode.is(query.query)) {
      return untilUnlocked(() => reader.run<R>(query))
    }
    const since = performance.now()
    const release = await this.#writer.acquire()
    try {
      return await untilUnlocked(() => this.#writer.statements.run<R>(query), since)
    } finally {
      release()
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncGenerator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  async begin() {
    const since = performance.now()
    const release = await this.#writer.acquire()
    try {
      const { statements } = this.#writer
      await untilUnlocked(() => statements.run(CompiledQuery.raw('begin immediate')), since)
      this.#release = release
    } catch (error) {
      release()
      throw error
    }
  }

  /** When this fails (a full disk) the transaction is still ours: Kysely then asks for the rollback. */
  commit() {
    this.#writer.statements.run(CompiledQuery.raw('commit'))
    this.#giveBack()
  }

  rollback() {
    const { statements } = this.#writer
    try {
      // SQLite may have rolled back by itself.
      if (statements.inTransaction) statements.run(CompiledQuery.raw('rollback'))
    } finally {
      this.#giveBack()
    }
  }

  #giveBack() {
    this.#release?.()
    this.#release = undefined
  }
}

/** The writing connection behind a queue: whoever acquires it has it alone until the release. */
class Writer {
  readonly statements: Statements
  #last: Promise<void> = Promise.resolve()

  constructor(statements: Statements) {
    this.statements = statements
  }

  async acquire(): Promise<() => void> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    return resolve
  }
}
