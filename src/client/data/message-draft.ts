import type { Draft } from '#contract/fields.ts'
import { recall, remember } from '#client/platform/remembered.ts'

/** What a visitor has typed and not sent, kept on this device only. */
export interface MessageDraft {
  /** The message in the queue that carries, or carried, this text; none while it was never handed over. */
  readonly id?: string | undefined
  readonly fields: Draft
}

const name = 'message'

/** The text kept by an earlier page; anything unreadable counts as none. */
export function readMessageDraft(): MessageDraft | undefined {
  try {
    return parseDraft(JSON.parse(recall(name) || 'null'))
  } catch {
    return undefined // damaged by hand or by another version: there is nothing to recover
  }
}

/** Keeps the text; nothing typed, nothing kept. */
export function keepMessageDraft(draft: MessageDraft): void {
  const isTyped = Object.values(draft.fields).some((text) => text !== '')
  remember(name, isTyped ? JSON.stringify(draft) : '')
}

export function dropMessageDraft(): void {
  remember(name, '')
}

/** The server has this message: its text is done with, unless it was changed meanwhile and is another message now. */
export function settleMessageDraft(id: string, sent: Draft): void {
  const draft = readMessageDraft()
  if (draft?.id !== id) return
  const isSame = Object.keys(sent).every((field) => draft.fields[field] === sent[field])
  if (isSame) dropMessageDraft()
  else keepMessageDraft({ fields: draft.fields })
}

function parseDraft(kept: unknown): MessageDraft | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined
  const { id, fields } = kept as Partial<Record<keyof MessageDraft, unknown>>
  if (typeof fields !== 'object' || fields === null) return undefined
  const texts = Object.entries(fields).filter(([, text]) => typeof text === 'string')
  return { id: typeof id === 'string' ? id : undefined, fields: Object.fromEntries(texts) }
}
