import { longWaitMs } from '#contract/durations.ts'
import { headerFields, personForms } from '#contract/person/person.ts'
import { personId } from '#contract/limits.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { settingKinds } from '#contract/settings/kinds.ts'
import { inOrder, keysIn, type SettingKey } from '#contract/settings/settings.ts'
import { settingPlaces, settingWords } from '#contract/texts/setting-words.ts'
import { fill } from '#contract/text.ts'
import { orderTexts } from '#contract/texts/order.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import type { FieldKind, Fields } from '#contract/fields.ts'
import { hiddenField, isHiddenValue } from '#contract/entries/hidden.ts'
import { ownAboutFields, ownFields, ownPersonFields } from '#contract/entries/own-fields.ts'
import { hiddenTexts } from '#contract/texts/hidden.ts'
import { isOfGone, laneOf, type Operation, type Subject } from '#client/outbox/operation.ts'
import { blocks } from '#client/outbox/queue-rules.ts'
import { isRescued } from './recall.ts'
import type { OutboxState } from '#client/outbox/queue-state.ts'
import { knownSection } from '#client/outbox/section-of.ts'

/** In order, without visitors' messages, which have a place of their own. */
export function ownersOf(operations: readonly Operation[]): readonly Operation[] {
  return operations.filter(({ subject }) => subject.on !== 'message')
}

/** A few words, such as «Crear proyecto «Brújula»». */
export function titleOf({ subject, verb, values, image, label }: Operation): string {
  const names = [...Object.keys(values), ...(image ? [image.field] : [])]
  if (subject.on === 'entry') {
    const isVisibility = verb === 'update' && names.every((name) => name === hiddenField)
    const turned =
      values[hiddenField] === isHiddenValue
        ? hiddenTexts.queuedHiding
        : hiddenTexts.queuedPublishing
    const noun = knownSection(subject)?.words.noun
    if (noun === undefined) return label
    return fill(isVisibility ? turned : queueTexts[verb], { noun, name: label })
  }
  if (subject.on === 'resume' || subject.on === 'answer') return label
  if (subject.on === 'order') return fill(orderTexts.queued, { title: label })
  if (subject.on === 'person') {
    const isWithin = (fields: object) => names.length > 0 && names.every((name) => name in fields)
    if (isWithin(headerFields)) return queueTexts.header
    return isWithin(ownAboutFields) ? queueTexts.about : queueTexts.profile
  }
  const [only, ...others] = names.map((name) => labelOf(subject, name))
  if (only === undefined || others.length > 0) return queueTexts.settings
  return fill(queueTexts.setting, { name: only })
}

/** Settings have no form and so no fields. */
export function fieldsOf(subject: Subject): Fields {
  const section = subject.on === 'entry' ? knownSection(subject) : undefined
  if (section) return ownFields(section)
  return subject.on === 'person' ? ownPersonFields : {}
}

/** As the forms call it, without the colon of a label. */
export function labelOf(subject: Subject, name: string): string {
  const words: Readonly<Record<string, { readonly label: string }>> =
    subject.on === 'settings' ? settingWords : fieldsOf(subject)
  return (words[name]?.label ?? name).replace(/:$/, '')
}

/** A switch reads as on or off. */
export function valueWords(
  field: { readonly kind?: FieldKind } | undefined,
  value: string | undefined,
): string | undefined {
  if (field?.kind !== 'switch') return value
  return value === isHiddenValue ? hiddenTexts.no : hiddenTexts.yes
}

/** Sections are stored by their keys and read by their titles, what is on or off as yes or no. */
export function wordsOf(
  subject: Subject,
  { name, value }: { readonly name: string; readonly value: string },
): string {
  if (subject.on !== 'settings') return valueWords(fieldsOf(subject)[name], value) ?? ''
  const kinds: Readonly<Record<string, { readonly is: string }>> = settingKinds
  if (kinds[name]?.is === 'flag') return value === 'true' ? hiddenTexts.yes : hiddenTexts.no
  if (!sectionSettings.has(name)) return value
  if (name === 'sections_order') {
    return namesOf(inOrder(sections, { sections_order: value }))
  }
  const keys = keysIn(value)
  // The one setting names what is off, the other what is on; under «Secciones» everybody reads what is there.
  const isOn = ({ key, startsOff }: Section) =>
    name === 'sections_hidden' ? !startsOff && !keys.includes(key) : keys.includes(key)
  return namesOf(sections.filter(isOn))
}

const namesOf = (list: readonly Section[]) => list.map(({ title }) => title).join(', ')

const sectionSettings: ReadonlySet<string> = new Set<SettingKey>([
  'sections_hidden',
  'sections_shown',
  'sections_order',
])

/** Under way, waiting, or refused by the server. */
interface OperationStatus {
  readonly tone: 'running' | 'waiting' | 'bad'
  readonly text: string
}

/** How far a queued change has come, in the words and the tone of its line in the queue. */
export function operationStatusOf(
  operation: Operation,
  {
    operations,
    sending,
    isReadOnly = false,
  }: Pick<OutboxState, 'operations' | 'sending' | 'isReadOnly'>,
): OperationStatus {
  if (operation.refusal) return { tone: 'bad', text: reasonOf(operation) }
  if (sending?.id === operation.id) return { tone: 'running', text: progressOf(operation, sending) }
  const earlier = operations.slice(
    0,
    operations.findIndex(({ id }) => id === operation.id),
  )
  return { tone: 'waiting', text: waitOf(operation, { earlier, isReadOnly }) }
}

interface Around {
  readonly earlier: readonly Operation[]
  readonly isReadOnly: boolean
}

function waitOf(operation: Operation, { earlier, isReadOnly }: Around): string {
  if (blocks(earlier, operation)) return queueTexts.waitingBlocked
  if (isReadOnly && laneOf(operation.subject) === 'content') return queueTexts.waitingClosed
  if (operation.tries > 0) return queueTexts.waitingAnswer
  const lane = laneOf(operation.subject)
  const isBehind = earlier.some(({ subject, refusal }) => !refusal && laneOf(subject) === lane)
  return isBehind ? queueTexts.waitingTurn : queueTexts.waiting
}

function progressOf({ image }: Operation, { progress }: { readonly progress: number }): string {
  if (!image || progress >= 1) return queueTexts.sending
  return fill(queueTexts.sendingPicture, { n: Math.round(progress * 100) })
}

function reasonOf(operation: Operation): string {
  const { refusal, verb } = operation
  if (isOfGone(operation)) return queueTexts.refusedGone
  if (refusal?.current) {
    return verb === 'remove' ? queueTexts.conflictRemoval : queueTexts.conflict
  }
  const reason = refusal?.reason ?? ''
  if (isRescued(operation)) return reason
  return fill(queueTexts.refused, { reason: reason.charAt(0).toLowerCase() + reason.slice(1) })
}

/** True when it was first made so long ago that the server will soon forget its key. */
export function isNearLimit({ tries, madeAt }: Operation, now: number): boolean {
  return tries > 0 && now - Date.parse(madeAt) >= longWaitMs
}

/** A text that a refused change would have written. */
interface LeftText {
  readonly name: string
  readonly label: string
  readonly text: string
}

/**
 * The texts of a refused change that no form shows, since what it is about is not there: her only copy. What a picture or a
 * switch was to be is no text.
 */
export function textsLeftOf(operation: Operation): readonly LeftText[] {
  const { subject, verb, values, refusal } = operation
  const isTyped = subject.on === 'entry' || subject.on === 'person' || subject.on === 'settings'
  const isLost = refusal !== undefined && !refusal.current && fixOf(operation) === undefined
  // What a removal takes back was never typed here.
  if (!isTyped || !isLost || verb === 'remove' || verb === 'erase') return []
  const fields = fieldsOf(subject)
  return Object.entries(values)
    .filter(([name, value]) => {
      const kind = fields[name]?.kind
      return value !== '' && kind !== 'image' && kind !== 'switch'
    })
    .map(([name, value]) => ({
      name,
      label: labelOf(subject, name),
      text: wordsOf(subject, { name, value }),
    }))
}

/** The page on which a refused change can be corrected; undefined when there is nothing to correct. */
export function fixOf(operation: Operation) {
  const { subject, verb, values, image, refusal } = operation
  const isEdit = verb === 'create' || verb === 'update'
  if (!isEdit || refusal?.code === 'no-encontrado' || isRescued(operation)) return undefined
  if (subject.on === 'entry') {
    const to = knownSection(subject)?.editPath
    return to === undefined ? undefined : { to, params: { id: subject.id } }
  }
  if (subject.on === 'settings') {
    const words = Object.entries(settingWords).find(([key]) => key === subject.key)?.[1]
    return { to: '/settings', params: {}, hash: words ? settingPlaces[words.group] : '' }
  }
  // A change without a form can only be sent again or forgotten as it is.
  if (subject.on !== 'person') return undefined
  const faulty = Object.keys(refusal?.errors ?? { ...values, ...(image && { [image.field]: '' }) })
  const form = faulty.some((name) => name in headerFields) ? 'header' : 'about'
  return { to: personForms[form].path, params: { id: String(personId) } }
}
