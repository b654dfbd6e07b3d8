import { setTimeout as wait } from 'node:timers/promises'
import type { Db, Executor } from '#server/db/tables.ts'

/** Calls while a change is done and not yet committed. On SQLite, where there is one writer at a time, the call waits. */
export async function callDuring<T>(
  db: Db,
  change: (t: Executor) => Promise<unknown>,
  call: () => Promise<T>,
): Promise<T> {
  const done = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const changing = db.transaction().execute(async (t) => {
    await change(t)
    done.resolve()
    await end.promise
  })
  await done.promise
  const called = call()
  // By then it waits for the change, or is over.
  await Promise.race([wait(300), called.catch(() => undefined)])
  end.resolve()
  await changing
  return called
}
