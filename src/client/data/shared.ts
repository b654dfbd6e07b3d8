import { createStore, del, get } from 'idb-keyval'
import { v7 as newId } from 'uuid'
import { share, type SharedItem } from '#contract/offline.ts'
import type { Draft } from '#contract/fields.ts'
import { logProblem } from '#client/platform/log.ts'
import { readDraft, saveDraft, saveDraftImage } from './drafts.ts'

/** Puts what was shared to the installed app into the draft of a new project, where typed text stays; nothing shared, nothing done. */
export async function takeShared(form: string): Promise<void> {
  try {
    const store = createStore(share.database, share.store)
    const item = await get<SharedItem<File>>(share.key, store)
    if (!item) return
    const draft = readDraft(form)
    const fields = withShared(draft?.fields ?? {}, item)
    saveDraft(form, { id: draft?.id ?? newId(), version: 0, fields })
    if (item.photo) await saveDraftImage(form, item.photo)
    await del(share.key, store)
  } catch (cause) {
    logProblem('What was shared could not be taken over', cause)
  }
}

/** The draft with the empty ones of its fields filled: title, text and link where a project has them. */
export function withShared(typed: Draft, { title, text, url }: SharedItem<unknown>): Draft {
  const link = url || (/https?:\/\/\S+/.exec(text)?.[0] ?? '')
  const shared = { name: title, description: text.replace(link, '').trim(), demo: link }
  const filled = Object.entries(shared).filter(([name, value]) => value !== '' && !typed[name])
  return { ...typed, ...Object.fromEntries(filled) }
}
