import type { QueryClient } from '@tanstack/react-query'
import { v7 as newId } from 'uuid'
import { imageFieldOf, type Draft } from '#contract/fields.ts'
import { fullName, personFields } from '#contract/person.ts'
import type { SettingKey } from '#contract/settings.ts'
import { settingWords } from '#contract/settings-words.ts'
import { texts } from '#contract/texts.ts'
import type { Change, Outcome } from './change.ts'
import { holds, type Operation } from './outbox/operation.ts'
import { pageOutbox, unpublished } from './outbox/page-outbox.ts'
import { entriesQuery, personQuery } from './queries.ts'
import { whileBusy } from './unsaved.ts'

export interface SubmitOptions {
  readonly queryClient: QueryClient
  /** Told how much of the picture is up, from 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/**
 * Keeps a change of the owner on this device and sends it as soon as it can be.
 * The only door to the write calls. Resolves with the server's word, or with `queued` when it waits for the connection.
 */
export async function submitChange(
  change: Change,
  { queryClient, onProgress }: SubmitOptions,
): Promise<Outcome> {
  const operation = operationOf(change, queryClient)
  const picture = 'image' in change ? change.image : undefined
  // From the first moment: until it is on disk a reload would lose it.
  const settled = await whileBusy(() =>
    pageOutbox(queryClient).add(operation, { picture, onProgress }),
  )
  if (settled.is === 'refused') return { state: 'refused', refusal: settled.refusal }
  if (settled.is !== 'queued') return { state: settled.is }
  return { state: 'queued', isHeld: holds(unpublished(), operation.subject) }
}

function operationOf(change: Change, queryClient: QueryClient): Operation {
  const base = {
    id: newId(),
    madeAt: new Date().toISOString(),
    tries: 0,
    label: labelOf(change, queryClient),
  }
  if (change.kind === 'settings') {
    return { ...base, subject: { on: 'settings' }, verb: 'update', values: change.patch }
  }
  if (change.kind === 'person') {
    const { version, patch } = change
    const subject = { on: 'person' } as const
    return { ...base, subject, verb: 'update', values: patch, version, ...pictureOf(change) }
  }
  const subject = { on: 'entry', section: change.section.key, id: change.id } as const
  if (change.kind === 'create') {
    return { ...base, subject, verb: 'create', values: change.draft, ...pictureOf(change) }
  }
  const { version } = change
  if (change.kind === 'remove') return { ...base, subject, verb: 'remove', values: {}, version }
  return {
    ...base,
    subject,
    verb: 'update',
    values: change.patch,
    version,
    ...pictureOf(change),
  }
}

function pictureOf(
  change: Exclude<Change, { kind: 'remove' | 'settings' }>,
): Pick<Operation, 'image'> {
  const field = imageFieldOf(change.kind === 'person' ? personFields : change.section.fields)
  const { image } = change
  if (!image || field === undefined) return {}
  return { image: { field, name: image instanceof File ? image.name : '' } }
}

/** What the owner calls the thing that is changed, in the list of pending changes. */
function labelOf(change: Change, queryClient: QueryClient): string {
  if (change.kind === 'settings') {
    const [key] = Object.keys(change.patch)
    return key === undefined ? texts.settings : settingWords[key as SettingKey].label
  }
  if (change.kind === 'person') {
    const person = queryClient.getQueryData(personQuery.queryKey)
    return person
      ? fullName({ ...person, fields: { ...person.fields, ...change.patch } })
      : texts.about
  }
  const { title } = change.section.display
  const typed: Draft = change.kind === 'create' ? change.draft : changedIn(change)
  const row = queryClient
    .getQueryData(entriesQuery(change.section).queryKey)
    ?.find(({ id }) => id === change.id)
  return typed[title] ?? row?.fields[title] ?? ''
}

function changedIn(change: Extract<Change, { kind: 'update' | 'remove' }>): Draft {
  return change.kind === 'update' ? change.patch : {}
}
