import { v5 } from 'uuid'
import type { FieldValues } from '#contract/fields.ts'
import { contactFields } from '#contract/messages/contact.ts'
import { cleanText } from '#contract/text.ts'
import { inTime, keptWithinMs } from '#client/browser/delay.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { changeValues, handedOverKey, keepValues, messageKey, readValue } from './kept-drafts.ts'

/** What a visitor has typed and not sent, kept on this device only. */
interface MessageDraft {
  /** The message in the queue that carries, or carried, this text; none while it was never handed over. */
  readonly id?: string | undefined
  /** The queue was given that message as it stands, and nobody has touched it since. */
  readonly isQueued?: boolean
  readonly fields: FieldValues
}

/** What was typed last on this page, or read from the device. */
let latest: MessageDraft | undefined
/** Whether that stands in the form: one that was just opened shows nothing yet, and what is typed there is another text. */
let isInForm = false
/** The device did not take it: the page's memory is all there is. */
let isUnkept = false
/** The message whose text stands in the form still, though the server or the queue has it: it is not to be sent from there. */
let done: { readonly id: string; readonly digest: string } | undefined
let isDoneTold = false
/** What was handed over on this page, in order. */
const handed: { readonly id: string; readonly sent: FieldValues }[] = []
/** The form that the text stands in, or is to. */
let openForm: () => HTMLFormElement | null = () => null
const begun = Promise.withResolvers<void>()
/** Ends once what an earlier page kept has been read: written before that, it would be lost. */
let recovering: Promise<unknown> = begun.promise

/** The text on this device, however late it comes, for a form that is open meanwhile. */
export async function openMessageDraft(reading = readOlder()): Promise<MessageDraft | undefined> {
  const before = latest
  const [older] = await reading
  // What was typed while it was read is newer.
  if (latest === before) latest = older
  return latest
}

/**
 * Puts the text on this device into the fields that are empty in the form that is there then; resolves to whether some of it
 * is in it. What stands in the others was typed before anybody could hear of it, and makes another text of it, unless the
 * queue has the kept one: it is sent from there, and what was typed is another message. Or the browser put it there because
 * she went back: then it may be the text that is kept, or one that was handed over since.
 */
export function recoverInto(form: () => HTMLFormElement | null): Promise<boolean> {
  const recovered = recover(form)
  recovering = recovered
  void recovered.finally(begun.resolve)
  return recovered
}

async function recover(form: () => HTMLFormElement | null): Promise<boolean> {
  openForm = form
  done = undefined
  // What she chose to edit is in it from the start.
  isInForm = standsIn(latest)
  if (isInForm) {
    leaveToDevice(!isUnkept)
    return true
  }
  const reading = readOlder()
  const draft = await openMessageDraft(reading)
  const [older, handedOver] = await reading
  // Sent, or on its way, by now.
  if (draft !== older && draft?.id !== undefined) return false
  const controls = controlsOf(form())
  if (!isInForm && handedOver.includes(digestOf(textsIn(controls))))
    for (const control of controls) control.value = ''
  if (older?.isQueued && controls.some((one) => one.value !== '' && !says(one, older))) {
    if (latest === older) latest = undefined
    return false
  }
  const fillable = controls.filter(({ name, value }) => value === '' && older?.fields[name])
  for (const control of fillable) control.value = older?.fields[control.name] ?? ''
  if (older && standsIn(older)) {
    isInForm = true
    if (latest === older) leaveToDevice(!isUnkept)
    else void remember(older)
    return true
  }
  // Under its id the server may have it already, and the queue have it still.
  if (fillable.length > 0) void remember({ id: older?.id, fields: textsIn(controls) })
  return fillable.length > 0
}

/** What this page or an earlier one kept, and the digests of what was handed over; anything unreadable counts as none. */
async function readOlder(): Promise<readonly [MessageDraft | undefined, readonly unknown[]]> {
  const before = latest
  const { length } = handed
  try {
    const [kept, digests] = await Promise.all([readValue(messageKey), readValue(handedOverKey)])
    // What was handed over while it was read may be in it still.
    const draft = handed
      .slice(length)
      .reduce((text, { id, sent }) => settled(text, id, sent), parseDraft(kept))
    return [isUnkept && latest === before ? before : draft, listOf(digests)]
  } catch (cause) {
    logProblem('A text could not be read', cause)
    return [before, []]
  }
}

function standsIn(draft: MessageDraft | undefined): boolean {
  const controls = controlsOf(openForm())
  return draft !== undefined && controls.length > 0 && controls.every((one) => says(one, draft))
}

function says({ name, value }: TextControl, { fields }: MessageDraft): boolean {
  return cleanText(value) === cleanText(fields[name] ?? '')
}

/** The browser is not to bring back by itself what the device has: it knows neither what was sent since nor under which id. */
function leaveToDevice(isKept: boolean): void {
  const form = openForm()
  if (form) form.autocomplete = isKept ? 'off' : 'on'
}

type TextControl = HTMLInputElement | HTMLTextAreaElement

function controlsOf(form: HTMLFormElement | null): readonly TextControl[] {
  return Object.keys(contactFields)
    .map((name) => form?.elements.namedItem(name))
    .filter(
      (control) => control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement,
    )
}

/** What stands in the form's fields. */
export function textsOf(form: HTMLFormElement): FieldValues {
  return textsIn(controlsOf(form))
}

function textsIn(controls: readonly TextControl[]): FieldValues {
  return Object.fromEntries(controls.map(({ name, value }) => [name, value]))
}

/** The text as this page knows it. */
export function messageDraft(): MessageDraft | undefined {
  return latest
}

/** The message in the queue whose text stands in the form. */
export function messageInForm(): string | undefined {
  return isInForm ? latest?.id : undefined
}

/** Whether a text that stands in the form has been handed over since it was put there. */
export function isDone(fields: FieldValues): boolean {
  return done?.digest === digestOf(fields)
}

/** Whether a message that waits no more has arrived while its text stood in the form that is still there; told once. */
export function takeArrival(waits: (id: string) => boolean): boolean {
  if (!done || isDoneTold || !openForm() || waits(done.id)) return false
  isDoneTold = true
  return true
}

/** Keeps the text; nothing typed, nothing kept. Resolves to whether the device has it on disk. */
export function keepMessageDraft(draft: MessageDraft): Promise<boolean> {
  const isTyped = Object.values(draft.fields).some((text) => text !== '')
  return remember(isTyped ? draft : undefined)
}

/** Keeps what stands in the form, unless it was handed over by then; where the queue holds it too, it does so still. */
export async function keepText(form: HTMLFormElement): Promise<void> {
  // The form may not have been able to ask for what an earlier page kept.
  await inTime(recovering, keptWithinMs).catch(() => undefined)
  const fields = textsOf(form)
  const digest = digestOf(fields)
  if (handed.some(({ sent }) => digestOf(sent) === digest)) return
  await keepMessageDraft({ id: messageInForm(), fields })
}

/** Whether the text in the form is on the device, and so there for the next page. */
export function isTextKept(): boolean {
  return standsIn(latest) && !isUnkept
}

async function remember(draft: MessageDraft | undefined): Promise<boolean> {
  latest = draft
  isInForm = true
  done = undefined
  const isKept = await keepValues({ [messageKey]: draft })
  if (latest === draft) {
    isUnkept = !isKept
    leaveToDevice(isKept)
  }
  return isKept
}

/** The server or the queue has this message: its text is done with, unless it was changed meanwhile and is another message now. */
export async function settleMessageDraft(id: string, sent: FieldValues): Promise<void> {
  handed.push({ id, sent })
  const rest = settled(latest, id, sent)
  if (latest && !rest && isInForm && openForm()) {
    done = { id, digest: digestOf(sent) }
    isDoneTold = false
  }
  latest = rest
  try {
    const dropping = changeValues((kept) => ({
      [messageKey]: settled(parseDraft(kept[messageKey]), id, sent),
      [handedOverKey]: [...new Set([...listOf(kept[handedOverKey]), digestOf(sent)])].slice(
        -mostDigests,
      ),
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

/** More forms than anybody leaves with a text in them and goes back to. */
const mostDigests = 20
/** Only sets these digests apart from others of the same text. */
const ours = 'b1d6f0c2-3d0e-4c59-9a57-8f0b64a1c7e3'

function digestOf(fields: FieldValues): string {
  const texts = Object.keys(contactFields).map((name) => cleanText(fields[name] ?? ''))
  return v5(JSON.stringify(texts), ours)
}

const listOf = (kept: unknown): readonly unknown[] => (Array.isArray(kept) ? kept : [])

function parseDraft(kept: unknown): MessageDraft | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined
  const { id, isQueued, fields } = kept as Partial<Record<keyof MessageDraft, unknown>>
  if (typeof fields !== 'object' || fields === null) return undefined
  const texts = Object.entries(fields).filter(([, text]) => typeof text === 'string')
  return {
    id: typeof id === 'string' ? id : undefined,
    ...(isQueued === true && { isQueued }),
    fields: Object.fromEntries(texts),
  }
}
