import { inTime, keptWithinMs } from '#client/browser/delay.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { changeValues, textKey } from '#client/drafts/kept-drafts.ts'
import { freePlace, type TakenPlace } from '#client/owner/drafts/draft-places.ts'
import { draftsIn, owned } from '#client/outbox/owned-drafts.ts'
import { mark, openPlaces } from '#client/owner/drafts/entry-drafts.ts'
import type { SavedDraft } from '#client/outbox/saved-draft.ts'

/**
 * Leaves drafts of new entries for their forms to offer, beside those that these have, in one turn: all of them or none. One
 * that lies there already, by its id, is not left again. Resolves to whether the device has them on disk.
 */
export async function leaveDrafts(
  left: readonly { readonly form: string; readonly draft: SavedDraft }[],
): Promise<boolean> {
  const free: TakenPlace[] = []
  try {
    for (const { form } of left) {
      const taken = free.map(({ place }) => place)
      // No lock keeps a page from itself: a form of this one would write over what is left where it is open.
      const next = await freePlace(form, new Set([...taken, ...openPlaces()]))
      if (!next) return false
      free.push(next)
    }
    const leaving = changeValues((kept) => {
      const known = new Set(draftsIn(kept).map(({ draft }) => draft.id))
      return Object.fromEntries(
        left.flatMap(({ draft }, index) => {
          const place = free[index]?.place
          if (place === undefined || known.has(draft.id)) return []
          return [
            [textKey(place), owned(draft)],
            [place, undefined],
          ]
        }),
      )
    })
    await inTime(leaving, keptWithinMs)
    for (const { form } of left) mark(form, true)
    return true
  } catch (cause) {
    logProblem('The drafts could not be kept', cause)
    return false
  } finally {
    for (const { unlock } of free) unlock()
  }
}
