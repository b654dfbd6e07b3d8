import type { FieldValues } from '#contract/fields.ts'
import { inTime, keptWithinMs } from '#client/browser/delay.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { changeValues, keepValues, messageKey, readValue } from './kept-drafts.ts'

/** What a visitor has typed and not sent, kept on this device only. */
interface MessageDraft {
  /** The message in the queue that carries, or carried, this text; none while it was never handed over. */
  readonly id?: string | undefined
  readonly fields: FieldValues
}

/** What was typed last on this page, or read from the device. */
let held: MessageDraft | undefined
/** Whether that stands in the form: one that was just opened shows nothing yet, and what is typed there is another text. */
let isInForm = false
/** The device did not take it: the page's memory is all there is. */
let isUnkept = false

/** The text on this device, however late it comes, for a form that is open meanwhile; anything unreadable counts as none. */
export async function openMessageDraft(): Promise<MessageDraft | undefined> {
  const before = held
  try {
    const kept = parseDraft(await readValue(messageKey))
    // What was typed while it was read is newer.
    if (held === before && !isUnkept) held = kept
  } catch (cause) {
    logProblem('A text could not be read', cause)
  }
  return held
}

/** Puts the text on this device into the form that is there then, unless somebody types already; resolves to whether it is in it. */
export async function recoverInto(form: () => HTMLFormElement | null): Promise<boolean> {
  isInForm = false
  const fields = (await openMessageDraft())?.fields ?? {}
  const names = Object.keys(fields)
  const controls = names.map((name) => form()?.elements.namedItem(name)).filter(isTextControl)
  if (controls.some(({ value }) => value !== '')) return false
  for (const control of controls) control.value = fields[control.name] ?? ''
  isInForm = controls.length > 0
  return isInForm
}

const isTextControl = (control: unknown) =>
  control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement

/** The text as this page knows it. */
export function messageDraft(): MessageDraft | undefined {
  return held
}

/** The message in the queue whose text stands in the form. */
export function messageInForm(): string | undefined {
  return isInForm ? held?.id : undefined
}

/** Keeps the text; nothing typed, nothing kept. Resolves to whether the device has it on disk. */
export function keepMessageDraft(draft: MessageDraft): Promise<boolean> {
  const isTyped = Object.values(draft.fields).some((text) => text !== '')
  return hold(isTyped ? draft : undefined)
}

async function hold(draft: MessageDraft | undefined): Promise<boolean> {
  held = draft
  isInForm = true
  const isKept = await keepValues({ [messageKey]: draft })
  if (held === draft) isUnkept = !isKept
  return isKept
}

/** The server or the queue has this message: its text is done with, unless it was changed meanwhile and is another message now. */
export async function settleMessageDraft(id: string, sent: FieldValues): Promise<void> {
  held = settled(held, id, sent)
  try {
    const dropping = changeValues((kept) => ({
      [messageKey]: settled(parseDraft(kept[messageKey]), id, sent),
    }))
    await inTime(dropping, keptWithinMs)
  } catch (cause) {
    logProblem('A sent text could not be dropped', cause)
  }
}

function settled(draft: MessageDraft | undefined, id: string, sent: FieldValues) {
  if (draft?.id !== id) return draft
  const isSame = Object.keys(sent).every((field) => draft.fields[field] === sent[field])
  return isSame ? undefined : { fields: draft.fields }
}

function parseDraft(kept: unknown): MessageDraft | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined
  const { id, fields } = kept as Partial<Record<keyof MessageDraft, unknown>>
  if (typeof fields !== 'object' || fields === null) return undefined
  const texts = Object.entries(fields).filter(([, text]) => typeof text === 'string')
  return { id: typeof id === 'string' ? id : undefined, fields: Object.fromEntries(texts) }
}
