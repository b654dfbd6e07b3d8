import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'

/** Prepared statements kept per connection; the product has fewer than a hundred distinct ones. */
const maxStatements = 200

interface Prepared {
  readonly statement: StatementSync
  readonly returnsRows: boolean
}

/** A connection with its prepared statements; the one used longest ago is dropped when there are too many. */
export class Statements {
  readonly #db: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction
  }

  run<R>(query: CompiledQuery): QueryResult<R> {
    const { statement, returnsRows } = this.#prepare(query.sql)
    const values = query.parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) as R[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return {
      rows: [],
      numAffectedRows: BigInt(changes),
      insertId: BigInt(lastInsertRowid),
    }
  }

  close() {
    this.#prepared.clear()
    this.#db.close()
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) {
      this.#prepared.delete(sql)
      this.#prepared.set(sql, known)
      return known
    }
    const statement = this.#db.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    this.#prepared.set(sql, prepared)
    const [oldest] = this.#prepared.keys()
    if (this.#prepared.size > maxStatements && oldest !== undefined) this.#prepared.delete(oldest)
    return prepared
  }
}
