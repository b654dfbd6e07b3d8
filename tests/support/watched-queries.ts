import type { CompiledQuery } from 'kysely'
import type { Db } from '#server/db/tables.ts'

/** The same database, and every query that is asked through it from now on. */
export function watchQueries(db: Db): { readonly watched: Db; readonly asked: CompiledQuery[] } {
  const asked: CompiledQuery[] = []
  const watched = db.withPlugin({
    transformQuery({ node, queryId }) {
      asked.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { watched, asked }
}
