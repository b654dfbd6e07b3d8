import type { QueryClient } from '@tanstack/react-query'
import { v7 as newId } from 'uuid'
import { emptyValues, type FieldValues } from '#contract/fields.ts'
import {
  effectOf,
  inMakingOrder,
  keptItems,
  takenOf,
  type Decided,
} from '#contract/resume/decisions.ts'
import { partsOf } from '#contract/resume/kept.ts'
import type { Proposal, Shown } from '#contract/resume/proposals.ts'
import type { SettingKey } from '#contract/settings/settings.ts'
import { whileBusy } from '#client/data/unsaved.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { presentAccount } from '#client/outbox/page-outbox.ts'
import {
  baseOf,
  changeSettingOperation,
  importEntryOperation,
  keepResumeOperation,
  updateEntryOperation,
  updatePersonOperation,
} from '#client/owner/changes/submit-change.ts'
import { finishImport } from './finish-import.ts'
import {
  forgetRecord,
  keepRecord,
  type ImportRecord,
  type Made,
  type QueuedChanges,
  type Replaced,
} from './import-records.ts'

interface Import extends Decided {
  /** What the import is kept under, so that nobody carries it out twice. */
  readonly id: string
  readonly name: string
  readonly shown: Shown
  readonly queryClient: QueryClient
}

/** Applies what she decided: drafts are left to their forms, all else goes through the queue. Throws when the device keeps nothing of it. */
export function applyImport(given: Import): Promise<ImportRecord> {
  const { unfinished = [], ...record } = planOf(given)
  return whileBusy(async () => {
    try {
      await keepRecord({ ...record, unfinished })
      await finishImport(record.id, given.queryClient)
      return record
    } catch (cause) {
      // She is told that nothing changed.
      await forgetRecord(record.id)
      throw cause
    }
  })
}

/** All that an import is to change, before anything of it is done. */
function planOf(given: Import): ImportRecord {
  const { id: importId, name, read, proposals, shown, decisionOf } = given
  const ids = new Map<Proposal, string>()
  const operations: Operation[] = []
  const created: Made[] = []
  const drafts: Made[] = []
  const updated: ImportRecord['updated'][number][] = []
  let [person, settings]: [Replaced, Replaced] = [nothing, nothing]
  for (const proposal of inMakingOrder(proposals)) {
    const { section, known, values } = proposal
    const decision = decisionOf(proposal)
    const effect = effectOf(proposal, decision)
    if (effect === 'leave') {
      // One that says the same may say more than the site shows.
      const isAbout = decision.choice === 'combine' || proposal.differences.length === 0
      if (isAbout && known) ids.set(proposal, known.id)
      continue
    }
    if (!section) {
      const taken = takenOf(proposal, decision)
      person = replacedBy(
        only(taken, (field) => field in shown.person.fields),
        shown.person.fields,
      )
      settings = replacedBy(
        only(taken, (field) => field in shown.settings),
        shown.settings,
      )
      continue
    }
    if (effect === 'combine' && known) {
      const change = replacedBy(takenOf(proposal, decision), known.fields)
      ids.set(proposal, known.id)
      updated.push({ section: section.key, id: known.id, ...change })
      const edit = { base: baseOf(known), values: change.after }
      operations.push(imported(updateEntryOperation(section, known, edit)))
      continue
    }
    const id = newId()
    const fields = { ...emptyValues(section.fields), ...values }
    if (effect === 'draft') {
      drafts.push({ section: section.key, id, fields })
    } else {
      created.push({ section: section.key, id, fields })
      operations.push(importEntryOperation(section, id, fields))
    }
    ids.set(proposal, id)
  }
  const profile = profileChanges({ person, settings }, shown)
  const kept = { rest: read.rest, items: keptItems(given, ids), importId }
  const parts = (partsOf(kept) ?? []).map((part) => ({ id: newId(), part }))
  const aside = parts.map(({ id, part }) => keepResumeOperation(id, JSON.stringify(part)))
  return {
    id: importId,
    at: new Date().toISOString(),
    account: presentAccount()?.account ?? '',
    name,
    queued: queuedChanges({ entries: operations, profile, aside }),
    created,
    updated,
    person,
    settings,
    parts: parts.map(({ id }) => id),
    drafts,
    unfinished: [...operations, ...profile, ...aside],
  }
}

interface Changes {
  /** One for each of them. */
  readonly entries: readonly Operation[]
  readonly profile: readonly Operation[]
  readonly aside: readonly Operation[]
}

const ids = (operations: readonly Operation[]) => operations.map(({ id }) => id)

/** As they are counted for her. */
export function queuedChanges({ entries, profile, aside }: Changes): QueuedChanges {
  return {
    things: [...ids(entries).map((id) => [id]), ...(profile.length > 0 ? [ids(profile)] : [])],
    aside: ids(aside),
  }
}

const nothing: Replaced = { before: {}, after: {} }
/** Marks a change that may leave out what a form insists on. */
export const imported = (operation: Operation): Operation => ({ ...operation, isImported: true })

/** The values of the meant names. */
export function only(values: FieldValues, isMeant: (name: string) => boolean): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isMeant(name)))
}

/** Values with what stands in their place now. */
export function replacedBy(after: FieldValues, now: FieldValues): Replaced {
  const before = Object.fromEntries(Object.keys(after).map((name) => [name, now[name] ?? '']))
  return { before, after }
}

/** The changes of the profile and of the settings that put these values there. */
export function profileChanges(
  { person, settings }: { readonly person: Replaced; readonly settings: Replaced },
  shown: Shown,
): readonly Operation[] {
  const profile = Object.keys(person.after).length > 0
  return [
    ...(profile
      ? [
          imported(
            updatePersonOperation(shown.person.fields, {
              base: baseOf(shown.person),
              values: person.after,
            }),
          ),
        ]
      : []),
    ...Object.entries(settings.after).map(([key, value]) =>
      changeSettingOperation(key as SettingKey, value, settings.before[key] ?? ''),
    ),
  ]
}
