import { inTime, keptWithinMs } from '#client/browser/delay.ts'
import { lockForPage } from '#client/browser/page-lock.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { onSession } from '#client/data/session.ts'
import { markUnsaved } from '#client/data/unsaved.ts'
import { createStore, useStore } from '#client/ui/store.ts'
import { fromStored, isLost, toStored } from '#client/browser/stored-file.ts'
import { tabMemory } from '#client/browser/early/web-storage.ts'
import {
  aPicture,
  changeValues,
  keepValues,
  readValue,
  textKey,
} from '#client/drafts/kept-drafts.ts'
import { draftPlaces, formOf, freePlace, takePlace, type TakenPlace } from './draft-places.ts'
import { draftsIn, isForeignDraft, lockOf, owned } from '#client/outbox/owned-drafts.ts'
import { parseDraft, type SavedDraft } from '#client/outbox/saved-draft.ts'

/** What an earlier page left of a form. */
export interface KeptDraft {
  /** Where this page keeps the form's draft; absent: under the form's own name. */
  readonly place?: string
  readonly draft?: SavedDraft | undefined
  /** The picture chosen and not uploaded yet, with nothing cut off. */
  readonly picture?: File | undefined
  /** The queue of changes has what was kept last: nothing of it is the form's. */
  readonly isQueued: boolean
  /** The device refused it: this page's memory alone has it. */
  readonly isUnkept?: boolean
}

/** Says among the fields of `shared` that the picture came with them. */
export const sharedPicture = 'image'

const reopenPrefix = 'tintero-reopen:'
/** The picture that each form has now: one that was taken away while it was read is not kept. */
const chosen = new Map<string, { readonly file: File; readonly isKept: Promise<boolean> }>()
/** What was left to forms that have said nothing of it yet, where the device refused it. */
const unkept = new Map<string, WholeDraft>()
/** The forms that have a draft; another tab may have kept or sent some since somebody looked last. */
const marked = createStore<ReadonlySet<string>>(new Set(), () => {
  isFollowed = true
  void lookAgain()
})
let isFollowed = false
onSession(() => {
  if (isFollowed) void lookAgain()
})

/** What is kept under a form's key; anything unreadable, or another account's, counts as none. */
export async function readDraft(form: string): Promise<KeptDraft> {
  return (await readPlace(form)) ?? { isQueued: false }
}

/** Undefined where the device does not say. */
async function readPlace(form: string): Promise<KeptDraft | undefined> {
  try {
    const [text, file] = await inTime(Promise.all([readValue(textKey(form)), readPicture(form)]))
    const draft = parseDraft(text)
    if (draft && isForeignDraft(draft)) return { isQueued: false }
    if (draft?.isQueued) return { isQueued: true }
    return { draft, picture: file instanceof File ? file : undefined, isQueued: false }
  } catch (cause) {
    logProblem('A draft could not be read', cause)
    return undefined
  }
}

/** Undefined, too, for one whose bytes the browser has lost for good: the text beside it is there still. */
async function readPicture(form: string): Promise<Blob | undefined> {
  try {
    return fromStored(await readValue(form))
  } catch (cause) {
    if (!isLost(cause)) throw cause
    logProblem('The picture of a draft is lost', cause)
    return undefined
  }
}

/** A draft that no other tab has until it is let go. */
export type TakenDraft = KeptDraft & TakenPlace

/** What forms of this page have taken. */
const open = new Set<TakenPlace>()

/** The places where forms of this page keep what is typed, though nothing may lie there yet. */
export const openPlaces = () => [...open].map(({ place }) => place)

/**
 * What is kept of a form, for this tab alone: what another tab has open is that tab's, and this one begins beside it. A new
 * entry's draft gets a new id (`renew`), for an entry may have been made under the one it had.
 */
export async function takeDraft(form: string, renew?: () => string): Promise<TakenDraft> {
  const { taken, kept } = await takeKept(form)
  open.add(taken)
  const { place } = taken
  const unlock = () => {
    open.delete(taken)
    taken.unlock()
  }
  const left = unkept.get(form)
  if (left && !isForeignDraft(left.draft)) {
    return { ...left, isQueued: false, isUnkept: true, place, unlock }
  }
  if (!kept.draft || !renew || kept.draft.keepsId) return { ...kept, place, unlock }
  const draft = { ...kept.draft, id: renew() }
  await saveDraft(place, draft)
  return { ...kept, draft, place, unlock }
}

/** What cannot be read now is not written over either: the form begins beside it. */
async function takeKept(form: string): Promise<{ taken: TakenPlace; kept: KeptDraft }> {
  const taken = await takePlace(form)
  const kept = await readPlace(taken.place)
  const beside = kept ? undefined : await freePlace(form)
  if (beside) taken.unlock()
  return { taken: beside ?? taken, kept: kept ?? { isQueued: false } }
}

/** A draft with the picture that it is to have. */
export interface WholeDraft {
  readonly draft: SavedDraft
  readonly picture?: File | undefined
}

/**
 * Puts a draft with its picture in the place of what lies there, which is forgotten, or with `earlier` left for the form to
 * offer. All in one turn: a page that is killed leaves nothing twice, and no draft without its picture. Resolves to whether
 * the device has it on disk.
 */
export async function replaceDraft(
  place: string,
  next: WholeDraft,
  earlier?: WholeDraft,
): Promise<boolean> {
  const beside = earlier && (await freePlace(formOf(place)))
  if (earlier && !beside) return false
  try {
    const values = {
      ...(await valuesOf(place, next)),
      ...(beside && (await valuesOf(beside.place, earlier))),
    }
    chosen.delete(place)
    await inTime(
      changeValues(() => values),
      keptWithinMs,
    )
    mark(place, true)
    return true
  } catch (cause) {
    logProblem('A draft could not be kept', cause)
    return false
  } finally {
    beside?.unlock()
  }
}

async function valuesOf(place: string, { draft, picture }: WholeDraft) {
  return { [textKey(place)]: owned(draft), [place]: picture && (await toStored(picture)) }
}

/** Keeps the draft, and a picture chosen for it; resolves to whether the device has both on disk. */
export async function saveDraft(form: string, draft: SavedDraft, picture?: File): Promise<boolean> {
  mark(form, true)
  unkept.delete(formOf(form))
  // The text does not wait for the picture to be read, or it might be written over a later one.
  const isKept = keepValues({ [textKey(form)]: owned(draft) })
  if (picture) chosen.set(form, { file: picture, isKept: keepPicture(form, picture) })
  // What is typed while it is being read does not make the picture kept.
  return ((await chosen.get(form)?.isKept) ?? true) && isKept
}

/**
 * Leaves something to a form that opens later on; resolves to whether the device has it on disk. If not, this page has it for
 * the form, and no new version may reload the page over it.
 */
export async function leaveDraft(form: string, left: WholeDraft): Promise<boolean> {
  const isKept = await saveDraft(form, left.draft, left.picture)
  if (!isKept) {
    unkept.set(form, left)
    markUnsaved(form, true)
  }
  return isKept
}

/** Keeps a picture unless another one was chosen while it was read; one that cannot be read is not kept. */
async function keepPicture(form: string, picture: File): Promise<boolean> {
  try {
    const stored = await toStored(picture)
    return chosen.get(form)?.file !== picture || (await keepValues({ [form]: stored }))
  } catch (cause) {
    logProblem('A picture could not be kept', cause)
    return false
  }
}

/** Forgets the draft and its picture. */
export async function dropDraft(form: string): Promise<void> {
  mark(form, false)
  unkept.delete(formOf(form))
  chosen.delete(form)
  await keepValues({ [textKey(form)]: undefined, [form]: undefined })
}

/** Forgets the picture alone. */
export async function dropDraftImage(form: string): Promise<void> {
  chosen.delete(form)
  await keepValues({ [form]: undefined })
}

/** A draft with where it lies. */
export type KeptWhole = WholeDraft & Pick<TakenPlace, 'place'>

/** What the forms of hers on this device have that is not sent. */
export async function unsentDrafts(): Promise<readonly KeptWhole[]> {
  const { own } = await draftPlaces()
  const read = await Promise.all(own.map(async (place) => ({ ...(await readDraft(place)), place })))
  return read.flatMap(({ draft, picture, place }) => (draft ? [{ draft, picture, place }] : []))
}

/** What this device had of a form that no page has open, and has no more: whoever takes it can put it back. */
export async function takeUnsent(form: string): Promise<readonly KeptWhole[]> {
  const unsent = (await unsentDrafts()).filter(({ place }) => formOf(place) === form)
  const taken: KeptWhole[] = []
  for (const one of unsent) {
    const unlock = await lockForPage(lockOf(one.place))
    if (!unlock) continue
    await dropDraft(one.place)
    unlock()
    taken.push(one)
  }
  return taken
}

/** Whether any form of hers on this device has something that is not sent; what the device refused ends with the page. */
export async function hasDrafts(): Promise<boolean> {
  return unkept.size > 0 || (await draftPlaces()).own.length > 0
}

/** Forgets every draft of hers on this device, pictures included; a visitor's message is not hers, nor another account's text. */
export async function dropAllDrafts(): Promise<void> {
  chosen.clear()
  for (const form of unkept.keys()) markUnsaved(form, false)
  unkept.clear()
  marked.set(new Set())
  try {
    await changeValues((kept) => {
      const foreign = draftsIn(kept).filter(({ draft }) => isForeignDraft(draft))
      const left = new Set(foreign.flatMap(({ form }) => [textKey(form), form]))
      const drafts = Object.entries(kept).filter(
        ([key, value]) => key.startsWith(textKey('')) || value === aPicture,
      )
      return Object.fromEntries(
        drafts.filter(([key]) => !left.has(key)).map(([key]) => [key, undefined]),
      )
    })
  } catch (cause) {
    logProblem('The drafts could not be dropped', cause)
  }
}

/** Whether a form has a draft on this device, as React state; server and hydration always see none. */
export function useHasDraft(form: string): boolean {
  return useStore({ get: () => marked.get().has(form), subscribe: marked.subscribe }, false)
}

async function lookAgain(): Promise<void> {
  marked.set(new Set((await draftPlaces()).own.map(formOf)))
}

/** Notes on this page that the form has a draft, or none. */
export function mark(place: string, hasDraft: boolean): void {
  const form = formOf(place)
  const forms = marked.get()
  if (forms.has(form) === hasDraft) return
  marked.set(new Set(hasDraft ? [...forms, form] : [...forms].filter((other) => other !== form)))
}

/** Remembers over the next load that the form was cut off by a failure and opens again by itself. */
export function reopenLater(form: string): void {
  tabMemory.set(reopenPrefix + form, '1')
}

/** Whether the form is to open by itself; asked once. */
export function takeReopen(form: string): boolean {
  const isAsked = tabMemory.get(reopenPrefix + form) !== undefined
  tabMemory.remove(reopenPrefix + form)
  return isAsked
}
