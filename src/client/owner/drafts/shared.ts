import { clear, del, entries, keys } from 'idb-keyval'
import { v7 as newId } from 'uuid'
import { share, type SharedItem } from '#contract/offline/offline.ts'
import type { FieldValues } from '#contract/fields.ts'
import { maxTextLength } from '#contract/limits.ts'
import { openStore } from '#client/browser/database.ts'
import { inTime } from '#client/browser/delay.ts'
import { lockForPage } from '#client/browser/page-lock.ts'
import { fromStored } from '#client/browser/stored-file.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { replaceDraft, sharedPicture, takeDraft, type WholeDraft } from './entry-drafts.ts'
import type { SavedDraft } from '#client/outbox/saved-draft.ts'

const store = openStore(share)

/**
 * Puts what was shared to the installed app into the draft of a new project, where typed text stays; nothing shared, nothing
 * done. What was shared before and not confirmed goes beside it, each as a draft of its own. Resolves to whether the form
 * has all that was shared.
 */
export async function takeShared(form: string): Promise<boolean> {
  try {
    // While another tab takes it, it is that tab's.
    const unlock = await lockForPage('tintero-share')
    if (!unlock) return true
    return await takeAll(form).finally(unlock)
  } catch (cause) {
    logProblem('What was shared could not be taken over', cause)
    return false
  }
}

/** Whether something was shared that no form has taken yet. */
export async function hasShared(): Promise<boolean> {
  try {
    return (await inTime(keys(store))).length > 0
  } catch (cause) {
    logProblem('What was shared could not be read', cause)
    return false
  }
}

/** Forgets what was shared and no form has taken yet. Never rejects. */
export async function forgetShared(): Promise<void> {
  try {
    await inTime(clear(store))
  } catch (cause) {
    logProblem('What was shared could not be forgotten', cause)
  }
}

/** In the order in which they came. */
async function takeAll(form: string): Promise<boolean> {
  for (const [key, item] of await entries<IDBValidKey, SharedItem>(store)) {
    if (!(await takeOne(form, { key, item }))) return false
    await del(key, store)
  }
  return true
}

interface Shared {
  readonly key: IDBValidKey
  readonly item: SharedItem
}

/** Resolves to whether a draft has it on disk. */
async function takeOne(form: string, { key, item }: Shared): Promise<boolean> {
  const { draft, picture, place, unlock } = await takeDraft(form)
  try {
    // Its page ended before it could be taken away.
    if (draft?.sharedKey === key) return true
    const kept = draft && { draft, picture }
    const isEarlier = draft?.shared !== undefined
    const next = filledUp({ key, item }, isEarlier ? undefined : kept)
    return await replaceDraft(place, next, isEarlier ? kept : undefined)
  } finally {
    unlock()
  }
}

function filledUp({ key, item }: Shared, kept?: WholeDraft): WholeDraft {
  // An earlier version of the worker kept the file as it was.
  const photo = fromStored(item.photo)
  const picture = photo instanceof File ? photo : undefined
  const { framing, ...typed }: SavedDraft = kept?.draft ?? { id: newId(), version: 0, fields: {} }
  const fields = withShared(typed.fields, item)
  const filled = Object.keys(fields).filter((name) => fields[name] !== typed.fields[name])
  const shared = [...filled, ...(picture ? [sharedPicture] : [])]
  // Of another picture she has chosen no part.
  const part = !picture && framing && { framing }
  const draft = { ...typed, ...part, version: 0, fields, shared, sharedKey: key }
  return { draft, picture: picture ?? kept?.picture }
}

/** The draft with the empty ones of its fields filled: title, text and link where a project has them. */
export function withShared(typed: FieldValues, item: Omit<SharedItem, 'photo'>): FieldValues {
  // Whatever came, a form has to show it.
  const [title = '', text = '', url = ''] = [item.title, item.text, item.url].map((value) =>
    value.slice(0, maxTextLength),
  )
  const link = url || (/https?:\/\/\S+/.exec(text)?.[0] ?? '')
  const shared = { name: title, description: text.replace(link, '').trim(), demo: link }
  const filled = Object.entries(shared).filter(([name, value]) => value !== '' && !typed[name])
  return { ...typed, ...Object.fromEntries(filled) }
}
