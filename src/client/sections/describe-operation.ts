import { aboutFields, headerFields, personFields, personForms } from '#contract/person.ts'
import { personId } from '#contract/limits.ts'
import { settingWords } from '#contract/settings-words.ts'
import { fill } from '#contract/text.ts'
import { queueTexts } from '#contract/texts-queue.ts'
import type { Fields } from '#contract/fields.ts'
import { holds, type Operation, type Subject } from '#client/data/outbox/operation.ts'
import type { OutboxState } from '#client/data/outbox/live-state.ts'
import { sectionOf } from '#client/data/outbox/section-of.ts'

/** The owner's operations, in order; a visitor's message has a place of its own. */
export function ownersOf(operations: readonly Operation[]): readonly Operation[] {
  return operations.filter(({ subject }) => subject.on !== 'message')
}

/** An operation in a few words: «Crear proyecto «Brújula»». */
export function titleOf({ subject, verb, values, image, label }: Operation): string {
  if (subject.on === 'entry') {
    return fill(queueTexts[verb], { noun: sectionOf(subject).words.noun, name: label })
  }
  const names = [...Object.keys(values), ...(image ? [image.field] : [])]
  if (subject.on === 'person') {
    const isWithin = (fields: object) => names.length > 0 && names.every((name) => name in fields)
    if (isWithin(headerFields)) return queueTexts.header
    return isWithin(aboutFields) ? queueTexts.about : queueTexts.profile
  }
  const [only, ...others] = names.map((name) => labelOf(subject, name))
  if (only === undefined || others.length > 0) return queueTexts.settings
  return fill(queueTexts.setting, { name: only })
}

/** The definitions of the fields an operation may change; none for settings, which have no form. */
export function fieldsOf(subject: Subject): Fields {
  if (subject.on === 'entry') return sectionOf(subject).fields
  return subject.on === 'person' ? personFields : {}
}

/** What the forms call a field of the operation's subject, without the colon of a form. */
export function labelOf(subject: Subject, name: string): string {
  const words: Readonly<Record<string, { readonly label: string }>> =
    subject.on === 'settings' ? settingWords : fieldsOf(subject)
  return (words[name]?.label ?? name).replace(/:$/, '')
}

/** How an operation stands: under way, waiting, or stopped by the server's no. */
export interface Standing {
  readonly tone: 'running' | 'waiting' | 'bad'
  readonly text: string
}

/** Says in a line how one of the queue's operations stands. */
export function standingOf(
  operation: Operation,
  { operations, sending }: Pick<OutboxState, 'operations' | 'sending'>,
): Standing {
  if (operation.refusal) return { tone: 'bad', text: reasonOf(operation) }
  if (sending?.id === operation.id) return { tone: 'running', text: progressOf(operation, sending) }
  const earlier = operations.slice(
    0,
    operations.findIndex(({ id }) => id === operation.id),
  )
  return { tone: 'waiting', text: waitOf(operation, earlier) }
}

function waitOf(operation: Operation, earlier: readonly Operation[]): string {
  if (holds(earlier, operation.subject)) return queueTexts.waitingHeld
  if (operation.tries > 0) return queueTexts.waitingAnswer
  return earlier.some(({ refusal }) => !refusal) ? queueTexts.waitingTurn : queueTexts.waiting
}

function progressOf({ image }: Operation, { progress }: { readonly progress: number }): string {
  if (!image || progress >= 1) return queueTexts.sending
  return fill(queueTexts.sendingPicture, { n: Math.round(progress * 100) })
}

function reasonOf({ refusal, verb }: Operation): string {
  if (refusal?.current) {
    return verb === 'remove' ? queueTexts.conflictRemoval : queueTexts.conflict
  }
  const reason = refusal?.reason ?? ''
  return fill(queueTexts.refused, { reason: reason.charAt(0).toLowerCase() + reason.slice(1) })
}

/** The page on which a refused change can be corrected; undefined when there is nothing to correct. */
export function fixOf({ subject, verb, values, image, refusal }: Operation) {
  if (verb === 'remove' || refusal?.code === 'no-encontrado') return undefined
  if (subject.on === 'entry') return { to: sectionOf(subject).editPath, params: { id: subject.id } }
  if (subject.on !== 'person') return { to: '/settings', params: {} }
  const faulty = Object.keys(refusal?.errors ?? { ...values, ...(image && { [image.field]: '' }) })
  const form = faulty.some((name) => name in headerFields) ? 'header' : 'about'
  return { to: personForms[form].editPath, params: { id: String(personId) } }
}
