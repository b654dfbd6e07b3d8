import { contactNotices } from '#contract/messages/contact.ts'
import type { FieldValues } from '#contract/fields.ts'
import { hiddenField } from '#contract/entries/hidden.ts'
import { project } from '#contract/sections/project.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { messageTexts } from '#contract/texts/message.ts'
import type { Operation } from '#client/outbox/operation.ts'
import type { ChangeResult } from '#client/outbox/pending-callers.ts'
import type { Hand, Ledger } from './ledger.ts'
import type { TabEvents } from './world/device.ts'
import type { OpenTab } from './world/open-tab.ts'
import type { World } from './world/world.ts'

/** The texts that histories type: each stands for one doing and is typed once. */
const isOurs = (text: string) => /^[wm]\d+$/.test(text)

export type Hearing = ReturnType<typeof createHearing>

interface HearingParts {
  readonly world: () => World
  readonly ledger: Ledger
}

/** Writes down what forms hand over and what the product says of it. */
export function createHearing({ world, ledger }: HearingParts) {
  const { hands } = ledger
  /** What stood in a field before a text was typed into it. */
  const seenBefore = new Map<string, string>()
  const keyOf = (field: string, text: string) => `${field} ${text}`

  function hearChange(
    tab: OpenTab,
    change: Operation,
    picture: Blob | undefined,
  ): (result: ChangeResult) => void {
    const { subject, verb: asked } = change
    if (subject.on !== 'entry' && subject.on !== 'person') return () => undefined
    // The histories bring nothing back.
    if (asked === 'restore' || asked === 'erase') return () => undefined
    const values = ownTexts(change.values)
    const seen = Object.keys(values).map(
      (field) => [field, seenBefore.get(keyOf(field, values[field] ?? '')) ?? ''] as const,
    )
    const hand = ledger.add({
      tab: tab.number,
      device: world().deviceOf(tab),
      account: tab.does.session().userName,
      subject: subject.on === 'person' ? 'person' : `${project.key}/${subject.id}`,
      verb: asked,
      values,
      seen:
        subject.on === 'entry' && asked === 'remove'
          ? shownName(tab, subject.id)
          : Object.fromEntries(seen),
      hidden: asked === 'remove' ? undefined : change.values[hiddenField],
      ...(picture instanceof File && { picture: picture.name }),
    })
    const { order, verb } = hand
    world().trace(`tab ${tab.number} hands over ${order}: ${verb} ${JSON.stringify(values)}`)
    return (result) => {
      world().trace(`change ${order} is ${JSON.stringify(result)}`)
      ledger.told(hand, result)
    }
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

  /** The name under which the tab's list shows the entry that is removed. */
  function shownName(tab: OpenTab, id: string): FieldValues {
    const entry = tab.does.list()?.find((one) => one.id === id)
    return entry ? { name: entry.name } : {}
  }

  const events: TabEvents = {
    failed: (tab, error) => ledger.say(`tab ${tab.number} broke: ${String(error)}`),
    told: hearNotice,
    submitted: hearChange,
  }

  return {
    events,
    /** A text is typed over what stood there; over a draft she sees what she saw when she began it. */
    typed: (field: string, text: string, before: string) => {
      const isDraft = !hands.some(({ values }) => values[field] === before)
      const earlier = isDraft ? seenBefore.get(keyOf(field, before)) : undefined
      seenBefore.set(keyOf(field, text), earlier ?? before)
    },
  }
}

function ownTexts(texts: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => isOurs(text)))
}
