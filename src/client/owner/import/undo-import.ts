import type { QueryClient } from '@tanstack/react-query'
import type { FieldValues } from '#contract/fields.ts'
import { areSameTexts, type Shown } from '#contract/resume/proposals.ts'
import { sections } from '#contract/sections/index.ts'
import { cleanText } from '#contract/text.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { dropDraft, unsentDrafts } from '#client/owner/drafts/entry-drafts.ts'
import {
  baseOf,
  keepResumeOperation,
  removeEntryOperation,
  submitKeptChanges,
  updateEntryOperation,
} from '#client/owner/changes/submit-change.ts'
import { imported, only, profileChanges, queuedChanges, replacedBy } from './apply-import.ts'
import {
  forgetRecord,
  type ImportRecord,
  type Made,
  type QueuedChanges,
  type Replaced,
} from './import-records.ts'

/** What came of taking an import back. */
export interface Undone {
  /** The queued changes that it takes. */
  readonly queued: QueuedChanges
  /** Nothing of it was changed since, so that the site is as it was. */
  readonly isWhole: boolean
}

/**
 * Takes an import back as one: what stands as the import left it goes, or is as it was before; what she changed since stays.
 * Throws when the device does not keep the changes: then nothing is changed, and the record is still there to undo it by.
 */
export async function undoImport(
  record: ImportRecord,
  { shown, queryClient }: { readonly shown: Shown; readonly queryClient: QueryClient },
): Promise<Undone> {
  const entryOf = (key: string, id: string) => {
    const section = sections.find((candidate) => candidate.key === key)
    const entry = section && shown.entries(section).find((one) => one.id === id)
    return section && entry ? { section, entry } : undefined
  }
  const drafts = await unsentDrafts()
  const isTyped = (id: string) => drafts.some(({ draft }) => draft.id === id)
  const made = record.created.flatMap(({ section, id, fields }) => {
    const found = entryOf(section, id)
    return found
      ? [{ ...found, isAsMade: !isTyped(id) && isAsMade(fields, found.entry.fields) }]
      : []
  })
  const combined = record.updated.map(({ section, id, ...change }) => ({
    found: entryOf(section, id),
    change,
  }))
  const person = stillThere(record.person, shown.person.fields)
  const settings = stillThere(record.settings, shown.settings)
  const entries = [
    ...made.flatMap(({ section, entry, isAsMade: goes }) =>
      goes ? [removeEntryOperation(section, entry)] : [],
    ),
    ...combined.flatMap(({ found, change }) => {
      const values = found ? stillThere(change, found.entry.fields) : {}
      if (!found || Object.keys(values).length === 0) return []
      const edit = { base: baseOf(found.entry), values }
      return [imported(updateEntryOperation(found.section, found.entry, edit))]
    }),
  ]
  const replaced = {
    person: replacedBy(person, shown.person.fields),
    settings: replacedBy(settings, shown.settings),
  }
  const profile = profileChanges(replaced, shown)
  const aside = record.parts.map((id) => keepResumeOperation(id, undefined))
  await submitKeptChanges([...entries, ...profile, ...aside], queryClient)
  // As they are by now: the queue may have taken its time, and another tab may have one of them open.
  const typed = await unsentDrafts()
  const left = record.drafts.map((one) => ({
    isPublished: entryOf(one.section, one.id) !== undefined,
    own: typed.filter(({ draft }) => draft.id === one.id),
    isChanged: typed.some((draft) => isChangedDraft(one, draft)),
  }))
  for (const { isPublished, own, isChanged } of left) {
    if (!isPublished && !isChanged) await Promise.all(own.map(({ place }) => dropDraft(place)))
  }
  // Everything is on its way back, so that this may fail: what is taken back once more is there no more.
  await forgetRecord(record.id).catch((cause: unknown) =>
    logProblem('An import could not be forgotten', cause),
  )
  return {
    queued: queuedChanges({ entries, profile, aside }),
    isWhole:
      made.every(({ isAsMade: goes }) => goes) &&
      combined.every(({ found, change }) => found && isRestored(change, found.entry.fields)) &&
      left.every(({ isPublished, isChanged }) => !isPublished && !isChanged) &&
      isRestored(record.person, shown.person.fields) &&
      isRestored(record.settings, shown.settings),
  }
}

/** What was there before, of what nobody has changed since. */
function stillThere({ before, after }: Replaced, now: FieldValues): FieldValues {
  return only(before, (name) => now[name] === after[name])
}

/** Whether all of it is as it was, or will be once what is still there is put back. */
function isRestored({ before, after }: Replaced, now: FieldValues): boolean {
  return Object.keys(before).every((name) => [before[name], after[name]].includes(now[name]))
}

/** Whether an entry says what the import had it say; hiding it changes none of that. */
function isAsMade(made: FieldValues | undefined, now: FieldValues): boolean {
  return made === undefined || Object.keys(made).every((name) => isSameText(made[name], now[name]))
}

/** Whether what lies in a form was left there by the import, and has been worked on since. */
function isChangedDraft(
  { id, fields }: Made,
  { draft, picture }: Awaited<ReturnType<typeof unsentDrafts>>[number],
): boolean {
  if (draft.id !== id) return false
  return picture !== undefined || (fields !== undefined && !areSameTexts(fields, draft.fields))
}

function isSameText(a = '', b = ''): boolean {
  return cleanText(a) === cleanText(b)
}
