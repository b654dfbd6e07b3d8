import { cacheNames, kindReadAt } from '#contract/offline/offline.ts'
import { workerCaches } from './closable.ts'
import { logProblem } from './early/log.ts'

/**
 * Throws away the worker's copies of one kind, right after a write of that kind and before it is read anew: on a slow
 * line the old answer would come back otherwise. Never rejects.
 */
export async function forgetCopies(kind: string, apiBase: string): Promise<void> {
  const copies = workerCaches()
  if (!copies) return
  try {
    // Every kept page may show some of it.
    await copies.delete(cacheNames.pages)
    const base = new URL(apiBase, location.href).href
    const kept = await copies.open(cacheNames.api)
    const old = (await kept.keys()).filter(
      ({ url }) => kindReadAt(url, { base, kinds: [kind] }) !== undefined,
    )
    await Promise.all(old.map((request) => kept.delete(request, { ignoreVary: true })))
  } catch (cause) {
    logProblem(`Could not forget the copies of ${kind}`, cause)
  }
}
