import { inTime, keptWithinMs } from '#client/browser/delay.ts'
import { lockForPage } from '#client/browser/page-lock.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { changeValues, readValues, textKey } from '#client/drafts/kept-drafts.ts'
import { draftsIn, isForeignDraft, lockOf } from './owned-drafts.ts'
import { parseDraft, type SavedDraft } from './saved-draft.ts'

/** Notes that the queue has the draft of an entry or a setting now, or that the form has it back. */
export async function markDraftQueued(
  id: string,
  isQueued: boolean,
  isMeant: (draft: SavedDraft) => boolean = () => true,
): Promise<void> {
  await markDraftsQueued(isQueued, (draft) => draft.id === id && isMeant(draft))
}

/**
 * The same of all drafts that are meant, in one turn. Without it a page that is closed before it hears of its change would
 * offer the draft again, and a new entry made of it would write over the one just made.
 */
export async function markDraftsQueued(
  isQueued: boolean,
  isMeant: (draft: SavedDraft) => boolean,
): Promise<void> {
  try {
    const marking = changeValues((kept) => {
      const meant = draftsIn(kept).filter(({ draft }) => !isForeignDraft(draft) && isMeant(draft))
      return Object.fromEntries(
        meant.map(({ form, draft }) => [textKey(form), { ...draft, isQueued }]),
      )
    })
    await inTime(marking, keptWithinMs)
  } catch (cause) {
    logProblem('A draft could not be marked', cause)
  }
}

/**
 * Drops the drafts that the queue was given and does not have any more: the server has them, or they were discarded. Their
 * forms do so too, unless their page was left before it heard of it; what another tab has open is left to that tab.
 */
export async function dropSentDrafts(
  queuedEntries: () => Promise<ReadonlySet<string>>,
): Promise<void> {
  try {
    const handedOver = draftsIn(await readValues()).filter(
      ({ draft }) => draft.isQueued && !isForeignDraft(draft),
    )
    for (const { form, draft } of handedOver) {
      const unlock = await lockForPage(lockOf(form))
      if (!unlock) continue
      // Read after the mark, and what is given back to a form loses its mark before it leaves the queue: what is marked
      // still and not queued is with nobody.
      if (!(await queuedEntries()).has(draft.id)) await dropQueued(form, draft.id)
      unlock()
    }
  } catch (cause) {
    logProblem('Sent drafts could not be dropped', cause)
  }
}

async function dropQueued(form: string, id: string): Promise<void> {
  const dropping = changeValues((kept) => {
    const draft = parseDraft(kept[textKey(form)])
    return draft?.isQueued && draft.id === id
      ? { [textKey(form)]: undefined, [form]: undefined }
      : {}
  })
  await inTime(dropping, keptWithinMs)
}
