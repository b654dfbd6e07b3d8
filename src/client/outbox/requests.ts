import { calls, idempotencyHeader, savedCopyHeader } from '#contract/api.ts'
import { writeWithinMs } from '#contract/durations.ts'
import { binCall } from '#contract/entries/bin.ts'
import { orderCall } from '#contract/entries/order.ts'
import type { FieldValues } from '#contract/fields.ts'
import { personId } from '#contract/limits.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { resumeCalls } from '#contract/resume/resume-calls.ts'
import { settingTag } from '#contract/settings/tag.ts'
import { callApi } from '#client/data/api.ts'
import { getSession } from '#client/data/session.ts'
import { newOrderOf } from './new-order.ts'
import type { Operation, Subject } from './operation.ts'
import { sendMessage } from './send-contact.ts'
import { tokenOf } from './token-of.ts'

/*
 * The requests about an operation: the one that makes it so, and the one that reads what the server has of its subject. What an
 * answer means is for `send.ts` to say.
 */

/** Asks the server to make it so, and returns its answer; `uploaded` is the address of its picture, by field. */
export async function requestChange(operation: Operation, uploaded: FieldValues): Promise<unknown> {
  const { subject, verb, id: key, values, version, before } = operation
  const body = { ...values, ...uploaded, ...(operation.isImported && { imported: true }) }
  if (subject.on === 'message') return sendMessage({ fields: values, ...operation.form, key })
  const put = (path: string, sent?: Write) => write(operation, { method: 'PUT', path, ...sent })
  const remove = (path: string, sent?: Write) =>
    write(operation, { method: 'DELETE', path, ...sent })
  if (subject.on === 'person') return put(`${calls.personUpdate}/${personId}`, { body, version })
  if (subject.on === 'settings') return put(settingPlace(subject.key), { body, before })
  if (subject.on === 'order') {
    return put(`${subject.section}/${orderCall}`, { body: newOrderOf(operation) })
  }
  if (subject.on === 'resume') {
    const path = `${resumeCalls.kept}/${subject.id}`
    return verb === 'remove' ? remove(path) : put(path, { body })
  }
  if (subject.on === 'answer') {
    const answered = values['answered'] === 'true'
    return put(`${ownerCalls.messages}/update/${subject.id}`, { body: { answered } })
  }
  const { section, id } = subject
  if (verb === 'create') {
    return write(operation, { method: 'POST', path: `${section}/create`, body: { id, ...body } })
  }
  if (verb === 'update') return put(`${section}/update/${id}`, { body, version })
  if (verb === 'restore') return put(`${section}/restore/${id}`)
  if (verb === 'erase') return remove(`${binCall}/${section}/${id}`, { version })
  const known = version ?? (await versionMade(operation))
  return remove(`${section}/delete/${id}`, { version: known })
}

interface Write {
  readonly body?: unknown
  readonly version?: number | undefined
  readonly before?: string | undefined
}

interface WriteCall extends Write {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
}

async function write(
  operation: Operation,
  { method, path, body, version, before }: WriteCall,
): Promise<unknown> {
  const { json } = await callApi(method, path, {
    ...(body === undefined ? {} : { body }),
    headers: {
      [idempotencyHeader]: operation.id,
      ...(version === undefined ? {} : { 'If-Match': `"v${version}"` }),
      ...(before === undefined ? {} : { 'If-Match': settingTag(before) }),
    },
    token: tokenOf(operation),
    // Its key makes a second try harmless, and whoever waits for this one holds up every page.
    signal: AbortSignal.timeout(writeWithinMs),
  })
  // Something between here and the server answers in its place, as the sign-in pages of public networks do.
  if (typeof json !== 'object' || json === null) throw new TypeError('not the answer of the server')
  return json
}

/** The version of an entry that is still as it was made; none that it can have where somebody has changed it. */
async function versionMade({ subject, values }: Operation): Promise<number> {
  const json = await readNow(subject)
  return (hasValues(json, values) ? versionOf(json).version : undefined) ?? 0
}

/** Reads what the server itself has of the thing; throws where only a copy of the device answers. */
export async function readNow(subject: Subject): Promise<unknown> {
  // What is hidden is there for its owner alone.
  const { token } = getSession()
  const { json, headers } = await callApi('GET', placeOf(subject), { token })
  if (headers.has(savedCopyHeader)) throw new TypeError('only the copy of the device answered')
  return json
}

/** Where the thing is read. */
function placeOf(subject: Subject): string {
  if (subject.on === 'entry') return `${subject.section}/detail/${subject.id}`
  if (subject.on === 'settings') return settingPlace(subject.key)
  return `${calls.personDetail}/${personId}`
}

/** One setting by itself, for not all of them stand among the others. */
function settingPlace(key: string | undefined): string {
  return key === undefined ? calls.config : `${calls.config}/${key}`
}

/** Whether a row of the server says all of this. */
export function hasValues(json: unknown, values: FieldValues): boolean {
  const row = new Map<string, unknown>(Object.entries(json ?? {}))
  // What an entry does not say is empty: that it is hidden, above all.
  return Object.entries(values).every(([name, value]) => (row.get(name) ?? '') === value)
}

/** The version of a row of the server; nothing for what has none. */
export function versionOf(json: unknown): { readonly version?: number } {
  const version =
    typeof json === 'object' && json !== null && 'version' in json ? json.version : undefined
  return typeof version === 'number' ? { version } : {}
}
