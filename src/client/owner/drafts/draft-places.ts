import { lockForPage } from '#client/browser/page-lock.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { readValues } from '#client/drafts/kept-drafts.ts'
import { draftsIn, isForeignDraft, lockOf } from '#client/outbox/owned-drafts.ts'

/** Between a form's name and the number of the tab that has it open beside another. */
const besideMark = '#'
/** More tabs than anybody has one form open in. */
const mostTabs = 50

/** A place that no other tab has until it is let go. */
export interface TakenPlace {
  readonly place: string
  readonly unlock: () => void
}

/** Where a draft is that no other tab has, or an empty place. */
export async function takePlace(form: string): Promise<TakenPlace> {
  const { own, taken } = await draftPlaces()
  const left = own.filter((place) => formOf(place) === form).toSorted()
  const others = Array.from({ length: mostTabs }, (_, tab) => placeOf(form, tab))
  for (const place of new Set([...left, ...others])) {
    const unlock = taken.includes(place) ? undefined : await lockForPage(lockOf(place))
    if (unlock) return { place, unlock }
  }
  return { place: form, unlock: () => undefined }
}

/** A place of the form where no draft lies, nor one of `others`, for this tab alone. */
export async function freePlace(
  form: string,
  others: ReadonlySet<string> = new Set(),
): Promise<TakenPlace | undefined> {
  const { own, taken } = await draftPlaces()
  const used = new Set([...own, ...taken, ...others])
  for (let tab = 0; tab < mostTabs; tab++) {
    const place = placeOf(form, tab)
    const unlock = used.has(place) ? undefined : await lockForPage(lockOf(place))
    if (unlock) return { place, unlock }
  }
  return undefined
}

function placeOf(form: string, tab: number): string {
  return tab === 0 ? form : form + besideMark + tab
}

/** The form whose draft lies there. */
export function formOf(place: string): string {
  return place.split(besideMark)[0] ?? place
}

/** Where drafts of hers are that the queue has not, and where those are that it may give back, or that are another account's. */
export async function draftPlaces(): Promise<Readonly<Record<'own' | 'taken', readonly string[]>>> {
  try {
    const drafts = draftsIn(await readValues())
    const taken = drafts.filter(({ draft }) => draft.isQueued || isForeignDraft(draft))
    const own = drafts.filter((one) => !taken.includes(one))
    return { own: own.map(({ form }) => form), taken: taken.map(({ form }) => form) }
  } catch (cause) {
    logProblem('The drafts could not be read', cause)
    return { own: [], taken: [] }
  }
}
