import { hold } from '#client/browser/hold.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { getSession } from '#client/data/session.ts'
import { readValues, textKey } from '#client/drafts/kept-drafts.ts'
import { parseDraft, type SavedDraft } from './saved-draft.ts'

/** Between a form's name and the number of the tab that has it open beside another. */
const besideMark = '#'
/** More tabs than anybody has one form open in. */
const mostTabs = 50

/** A place that no other tab has until it is let go. */
export interface TakenPlace {
  readonly place: string
  readonly letGo: () => void
}

/** Where a draft is that no other tab has, or an empty place. */
export async function takePlace(form: string): Promise<TakenPlace> {
  const { own, foreign } = await draftPlaces()
  const left = own.filter((place) => formOf(place) === form).toSorted()
  const others = Array.from({ length: mostTabs }, (_, tab) => placeOf(form, tab))
  for (const place of new Set([...left, ...others])) {
    const letGo = foreign.includes(place) ? undefined : await hold(lockOf(place))
    if (letGo) return { place, letGo }
  }
  return { place: form, letGo: () => undefined }
}

/** A place of the form where no draft lies, nor one of `taken`, for this tab alone. */
export async function freePlace(
  form: string,
  taken: ReadonlySet<string> = new Set(),
): Promise<TakenPlace | undefined> {
  const { own, foreign } = await draftPlaces()
  const used = new Set([...own, ...foreign, ...taken])
  for (let tab = 0; tab < mostTabs; tab++) {
    const place = placeOf(form, tab)
    const letGo = used.has(place) ? undefined : await hold(lockOf(place))
    if (letGo) return { place, letGo }
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

/** The name of the lock that the tab holds that has the place. */
export function lockOf(place: string): string {
  return `tintero-draft:${place}`
}

/** The draft as this tab's account's, unless it says whose it is. */
export function owned(draft: SavedDraft): SavedDraft {
  const { account } = getSession()
  return { ...(account && { account }), ...draft }
}

/** Whether it is another account's than this tab's; what names none belongs to nobody else. */
export function isForeignDraft({ account }: SavedDraft): boolean {
  const present = getSession().account
  return account !== undefined && present !== '' && account !== present
}

/** Where drafts of hers are that the queue has not, and where another account's are. */
export async function draftPlaces(): Promise<
  Readonly<Record<'own' | 'foreign', readonly string[]>>
> {
  try {
    const drafts = draftsIn(await readValues())
    const foreign = drafts.filter(({ draft }) => isForeignDraft(draft))
    const own = drafts.filter((one) => !one.draft.isQueued && !foreign.includes(one))
    return { own: own.map(({ form }) => form), foreign: foreign.map(({ form }) => form) }
  } catch (cause) {
    logProblem('The drafts could not be read', cause)
    return { own: [], foreign: [] }
  }
}

/** The drafts among kept values, with where each lies. */
export function draftsIn(
  kept: Readonly<Record<string, unknown>>,
): readonly { readonly form: string; readonly draft: SavedDraft }[] {
  return Object.entries(kept).flatMap(([key, value]) => {
    const draft = key.startsWith(textKey('')) ? parseDraft(value) : undefined
    return draft ? { form: key.slice(textKey('').length), draft } : []
  })
}
