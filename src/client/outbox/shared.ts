import { del, get } from 'idb-keyval'
import { v7 as newId } from 'uuid'
import { share, type SharedItem } from '#contract/offline/offline.ts'
import type { FieldValues } from '#contract/fields.ts'
import { maxTextLength } from '#contract/limits.ts'
import { openStore } from '#client/browser/database.ts'
import { fromStored } from '#client/browser/stored-file.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { saveDraft, sharedPicture, takeDraft } from './entry-drafts.ts'

const store = openStore(share)

/**
 * Puts what was shared to the installed app into the draft of a new project, where typed text stays; nothing shared, nothing
 * done. Resolves to whether the form has all that was shared.
 */
export async function takeShared(form: string): Promise<boolean> {
  try {
    const item = await get<SharedItem>(share.key, store)
    if (!item) return true
    // An earlier version of the worker kept the file as it was.
    const photo = fromStored(item.photo)
    const picture = photo instanceof File ? photo : undefined
    const { draft, place, letGo } = await takeDraft(form)
    const typed = draft?.fields ?? {}
    const fields = withShared(typed, item)
    const filled = Object.keys(fields).filter((name) => fields[name] !== typed[name])
    const shared = [
      ...new Set([...(draft?.shared ?? []), ...filled, ...(picture ? [sharedPicture] : [])]),
    ]
    const id = draft?.id ?? newId()
    const isKept = await saveDraft(place, { id, version: 0, fields, shared }, picture)
    if (isKept) await del(share.key, store)
    letGo()
    return isKept
  } catch (cause) {
    logProblem('What was shared could not be taken over', cause)
    return false
  }
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
