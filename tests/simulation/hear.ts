import { contactNotices } from '#contract/messages/contact.ts'
import type { FieldValues } from '#contract/fields.ts'
import { hiddenField } from '#contract/entries/hidden.ts'
import { project } from '#contract/sections/project.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { messageTexts } from '#contract/texts/message.ts'
import type { Operation } from '#client/outbox/operation.ts'
import type { ChangeResult } from '#client/outbox/pending-callers.ts'
import type { Hand, Ledger } from './ledger.ts'
import { ownTexts } from './sight.ts'
import type { TabEvents } from './world/device.ts'
import type { OpenTab } from './world/open-tab.ts'
import type { World } from './world/world.ts'

export type Hearing = ReturnType<typeof createHearing>

interface HearingOptions {
  readonly world: () => World
  readonly ledger: Ledger
}

/** Writes down what forms hand over and what the product says of it. */
export function createHearing({ world, ledger }: HearingOptions) {
  const { hands } = ledger
  /** What a form showed when it opened, by the text that was typed into it then. */
  const openedWith = new Map<string, FieldValues>()
  /** The name of the entry whose bin was pressed last in a tab: while she is asked, the list may go on. */
  const asked = new Map<number, FieldValues>()

  /** What was typed and never handed over is a draft: she sees what she saw when she began it. */
  function withoutDrafts(shown: FieldValues): FieldValues {
    const isDraft = (field: string, text: string) =>
      !hands.some(({ values }) => values[field] === text)
    return Object.fromEntries(
      Object.entries(shown).map(([field, text]) => {
        const before = isDraft(field, text) ? openedWith.get(text)?.[field] : undefined
        return [field, before ?? text]
      }),
    )
  }

  function hearChange(
    tab: OpenTab,
    change: Operation,
    picture: Blob | undefined,
  ): (result: ChangeResult) => void {
    const { subject, verb } = change
    if (subject.on !== 'entry' && subject.on !== 'person') return () => undefined
    // The histories bring nothing back.
    if (verb === 'restore' || verb === 'erase') return () => undefined
    const values = ownTexts(change.values)
    const hand = ledger.add({
      id: change.id,
      tab: tab.number,
      device: world().deviceOf(tab),
      account: tab.does.session().userName,
      subject: subject.on === 'person' ? 'person' : `${project.key}/${subject.id}`,
      verb,
      values,
      seen: seenBy(tab, change, values),
      hidden: verb === 'remove' ? undefined : change.values[hiddenField],
      ...(picture instanceof File && { picture: picture.name }),
    })
    const { order } = hand
    world().trace(`tab ${tab.number} hands over ${order}: ${verb} ${JSON.stringify(values)}`)
    return (result) => {
      world().trace(`change ${order} is ${JSON.stringify(result)}`)
      ledger.told(hand, result)
    }
  }

  function seenBy(tab: OpenTab, { subject, verb }: Operation, values: FieldValues): FieldValues {
    const atPress = verb === 'remove' ? asked.get(tab.number) : undefined
    return atPress ?? openedWith.get(newest(values) ?? '') ?? shownName(tab, subject)
  }

  function hearNotice(tab: OpenTab, kind: string, text: string): void {
    world().trace(`tab ${tab.number} says «${text}»`)
    const { created, deleted } = noticesOf(project)
    const device = world().deviceOf(tab)
    if (text === contactNotices.sent) ledger.announced(tab.number, device, 'message')
    if (kind !== 'success-snackbar') return hearOfMessage(tab, text)
    if (text === created) ledger.announced(tab.number, device, 'create')
    if (text === deleted) ledger.announced(tab.number, device, 'remove')
  }

  /** What is said of the first message from this tab of which nothing was said: each waits for the one before. */
  function hearOfMessage(tab: OpenTab, text: string): void {
    const isMeant = ({ verb, state, ...hand }: Hand) =>
      verb === 'message' && hand.tab === tab.number && state === 'handed'
    const hand = hands.find(isMeant)
    if (hand && text === messageTexts.kept) ledger.told(hand, { state: 'queued' })
    if (hand && text === contactNotices.failed) ledger.told(hand, { state: 'refused' })
  }

  /** The name under which the tab's list shows an entry that is changed without a form. */
  function shownName(tab: OpenTab, subject: Operation['subject']): FieldValues {
    const entry = subject.on === 'entry' && tab.does.list()?.find(({ id }) => id === subject.id)
    return entry ? { name: entry.name } : {}
  }

  const events: TabEvents = {
    failed: (tab, error) => ledger.say(`tab ${tab.number} broke: ${String(error)}`),
    told: hearNotice,
    submitted: hearChange,
  }

  return {
    events,
    /** The bin of the entry that is called so was pressed. */
    pressedBin: (tab: OpenTab, name: string) => void asked.set(tab.number, { name }),
    /** A text is typed into a form that shows this. */
    typed: (text: string, shown: FieldValues) => {
      openedWith.set(text, withoutDrafts(shown))
    },
  }
}

/** The text that was typed last. */
function newest(texts: FieldValues): string | undefined {
  return Object.values(texts).toSorted((a, b) => Number(b.slice(1)) - Number(a.slice(1)))[0]
}
