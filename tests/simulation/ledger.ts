import type { FieldValues } from '#contract/fields.ts'
import { hiddenField } from '#contract/entries/hidden.ts'
import { project } from '#contract/sections/project.ts'
import { changesIn, type Operation, type Refusal } from '#client/outbox/operation.ts'
import type { ChangeResult, WaitReason } from '#client/outbox/pending-callers.ts'
import { createArrivals } from './arrivals.ts'
import { createQuestions } from './questions.ts'
import { createSight } from './sight.ts'
import type { Seen } from './world/page/tab.tsx'
import type { Applied, Content } from './world/site.ts'

/** What was handed over in a form, as the form gave it to the queue. */
export interface Hand {
  readonly order: number
  /** The queue's own name for it; empty for a visitor's message. */
  readonly id: string
  readonly tab: number
  readonly device: number
  readonly account: string
  readonly subject: string
  readonly verb: 'create' | 'update' | 'remove' | 'message'
  /** The texts that say which doing it was; each is typed once only. */
  readonly values: FieldValues
  readonly picture?: string
  /** Who is to see the entry from now on, as the field says it. */
  readonly hidden?: string | undefined
  /** What its form showed when it opened; of what needs no form, the name in the list. */
  readonly seen: FieldValues
  /** The last that its maker was told; `unknown` where the page went before. */
  state: 'handed' | 'unknown' | ChangeResult['state']
  /** Taken back by her word, or given up for another device's. */
  isTakenBack: boolean
  /** An older copy of the server's data took its place. */
  isUndone: boolean
  /** The tabs in which a snackbar has said that it is done. */
  readonly announcedIn: Set<number>
}

type Handed = Omit<Hand, 'order' | 'state' | 'isTakenBack' | 'isUndone' | 'announcedIn'>

/** What was said of a change. */
interface Told {
  readonly state: ChangeResult['state']
  readonly because?: WaitReason
  readonly refusal?: Pick<Refusal, 'code' | 'current'>
}

/** What a tab showed last, and to whom. */
interface Shown {
  readonly account: string
  readonly names: ReadonlyMap<string, string>
}

interface LedgerOptions {
  /** The texts that wait on a device at this moment. */
  readonly waiting: (device: number) => ReadonlySet<string>
  /** The texts that a device keeps as drafts at this moment. */
  readonly drafted: (device: number) => ReadonlySet<string>
}

const promises: ReadonlySet<Hand['state']> = new Set(['saved', 'queued'])

/** Whether its maker was told that it is kept or done, and has not said otherwise since. */
const isPromised = ({ state, isTakenBack, isUndone }: Hand) =>
  promises.has(state) && !isTakenBack && !isUndone

export type Ledger = ReturnType<typeof createLedger>

/** Everything that was done, everything that was said of it, and what does not agree. */
export function createLedger({ waiting, drafted }: LedgerOptions) {
  const hands: Hand[] = []
  const wrong: string[] = []
  /** Things of which something older may be shown: she chose so, or the server's data are older now. */
  const pardoned = new Set<string>()
  const shownIn = new Map<number, Shown>()
  const say = (what: string) => void wrong.push(what)
  const isPardoned = (subject: string) => pardoned.has(subject)
  const sight = createSight(hands)
  const arrivals = createArrivals({ hands, sight, say, isPardoned })
  const questions = createQuestions({ hands, sight, say, isPardoned })

  /** Whether a later change of the same device has taken this one's text in before it was sent. */
  const isReplaced = ({ order, subject, device, account }: Hand, field: string) =>
    hands.some(
      (later) =>
        later.order > order &&
        later.subject === subject &&
        later.device === device &&
        later.account === account &&
        later.state !== 'refused' &&
        (later.verb === 'remove' || later.values[field] !== undefined),
    )

  /** When a name was handed over last, which may be long after it was typed. */
  const handedAt = (subject: string, name: string) =>
    hands.findLast((hand) => hand.subject === subject && hand.values['name'] === name)?.order ?? -1

  const wasRemoved = (subject: string) =>
    hands.some((hand) => hand.subject === subject && hand.verb === 'remove')

  /** The edits of the same device that a removal finds waiting: what is to be chosen about them is to be chosen about it. */
  const editsUnder = ({ verb, order, subject, device, account }: Hand) =>
    hands.filter(
      (edit) =>
        verb === 'remove' &&
        edit.order < order &&
        edit.subject === subject &&
        edit.device === device &&
        edit.account === account &&
        edit.state === 'queued',
    )

  /** What the form hears of its change has to be so at that moment. */
  function told(hand: Hand, { state, because, refusal }: Told): void {
    hand.state = state
    if (refusal?.current) questions.asked([...editsUnder(hand), hand], refusal.current.fields)
    if (state === 'refused') pardoned.add(hand.subject)
    if (because === 'not-kept') say(`change ${hand.order} was not kept on a device that keeps all`)
    // What the server finds fault with here is inside the picture: one of another kind is not what was chosen.
    if (refusal?.code === 'imagen-no-admitida') {
      say(`change ${hand.order} brought something else instead of ${hand.picture}`)
    }
    if (!isPromised(hand)) return
    if (state === 'saved' && hand.verb === 'remove' && !arrivals.has(hand)) {
      say(`change ${hand.order}: «eliminado» was said and ${hand.subject} is on the server`)
    }
    for (const [field, text] of Object.entries(hand.values)) {
      if (arrivals.hasText(hand, field) || isReplaced(hand, field)) continue
      if (state !== 'saved' && waiting(hand.device).has(text)) continue
      say(`change ${hand.order} (${text}) was said to be ${state} and is nowhere`)
    }
  }

  /** What a tab shows at this moment must be no older than what it showed before. */
  function shows({ tab, account }: Pick<Hand, 'tab' | 'account'>, list: readonly Seen[]): void {
    const now = new Map(list.map(({ id, name }) => [`${project.key}/${id}`, name]))
    const before = shownIn.get(tab)
    // Nobody sees what another account has waiting.
    for (const [subject, name] of before?.account === account ? before.names : []) {
      if (pardoned.has(subject)) continue
      const next = now.get(subject)
      if (next === undefined && !wasRemoved(subject)) {
        say(`${subject} («${name}») went from tab ${tab} by itself`)
      }
      if (next !== undefined && handedAt(subject, next) < handedAt(subject, name)) {
        say(`tab ${tab} went back from «${name}» to «${next}» by itself`)
      }
    }
    shownIn.set(tab, { account, names: now })
  }

  function checkAtRest(hand: Hand, { rows }: Content): void {
    const { order, subject, verb, state } = hand
    const isThere = rows.has(subject)
    if (verb === 'remove') {
      if (isThere && !pardoned.has(subject)) {
        say(`change ${order} removed ${subject}, and it is there`)
      }
      return
    }
    for (const [field, text] of Object.entries(hand.values)) {
      if (arrivals.hasText(hand, field) || isReplaced(hand, field)) continue
      say(`change ${order} (${text}), said to be ${state}, never arrived`)
    }
    const mayBeGone = wasRemoved(subject) || pardoned.has(subject)
    if (!isThere && !mayBeGone) say(`change ${order}: ${subject} is not on the server`)
  }

  /** Who sees an entry is what was said of it last, as long as one device alone said it. */
  function checkVisibility({ rows }: Content): void {
    const said = hands.filter(({ hidden }) => hidden !== undefined)
    for (const subject of new Set(said.map((hand) => hand.subject))) {
      const own = said.filter((hand) => hand.subject === subject)
      const row = rows.get(subject)
      const isSure = own.every((hand) => hand.device === own[0]?.device && isPromised(hand))
      const last = own.at(-1)?.hidden ?? ''
      const is = row?.[hiddenField] ?? ''
      if (row && isSure && !pardoned.has(subject) && is !== last) {
        say(`${subject} was to be «${last}» last and is «${is}»`)
      }
    }
  }

  function checkMessage({ messages }: Content, hand: Hand): void {
    const { message: text = '' } = hand.values
    const count = messages.filter((message) => message === text).length
    if (count > 1) say(`message ${hand.order} (${text}) arrived ${count} times`)
    if (count === 0 && isPromised(hand)) {
      say(`message ${hand.order} (${text}), said to be ${hand.state}, never arrived`)
    }
  }

  return {
    hands,
    wrong,
    say,
    told,
    shows,
    applied: (write: Applied) => arrivals.follow(write),
    stored: (url: string, picture: string) => arrivals.stored(url, picture),
    add: (handed: Handed): Hand => {
      const fresh = { state: 'handed', isTakenBack: false, isUndone: false } as const
      const hand = { ...handed, ...fresh, order: hands.length, announcedIn: new Set<number>() }
      hands.push(hand)
      return hand
    },
    pardon: (subject: string) => void pardoned.add(subject),
    /** She has chosen between two versions in a form of this tab. */
    pardonTab: (tab: number) => {
      for (const hand of hands) if (hand.tab === tab) pardoned.add(hand.subject)
    },
    takenBack: (subject: string, device: number) => {
      for (const hand of hands) {
        if (hand.subject === subject && hand.device === device) hand.isTakenBack = true
      }
    },
    /** A message that stood in the form was changed into another. */
    rewritten: (text: string) => {
      const hand = hands.find(({ values }) => values['message'] === text)
      if (hand && hand.state !== 'saved') hand.isTakenBack = true
    },
    /** What a device keeps at this moment. */
    keeps: (queue: readonly Operation[]): void => {
      for (const operation of queue) {
        const { current } = operation.refusal ?? {}
        const made = hands.filter(({ id }) => changesIn(operation).includes(id))
        if (current) questions.asked([...made.flatMap(editsUnder), ...made], current.fields)
        // What is to be deleted is shown as the server has it, and what she had waiting for it is gone by her word.
        if (operation.verb === 'remove' && operation.refusal) {
          for (const { subject } of made) pardoned.add(subject)
        }
      }
    },
    /** A snackbar says that something was made, deleted or sent: each time of another change, which has to be so. */
    announced: (tab: number, device: number, verb: Hand['verb']): void => {
      const isMeant = (hand: Hand) =>
        hand.verb === verb &&
        hand.device === device &&
        !hand.announcedIn.has(tab) &&
        (hand.isUndone || arrivals.has(hand))
      const meant = hands.find(isMeant)
      if (!meant) return say(`tab ${tab} announced a ${verb} that the server does not have`)
      meant.announcedIn.add(tab)
      if (verb === 'message') meant.state = 'saved'
    },
    /** A form opens with what it calls a draft: nothing that was handed over. Beside it stands what the device knows as stored. */
    offers: ({ tab, device }: Pick<Hand, 'tab' | 'device'>, values: FieldValues) => {
      const isOver = (field: string, text: string) =>
        hands.some(
          (hand) => hand.values[field] === text && hand.device === device && isPromised(hand),
        )
      for (const [field, text] of Object.entries(values)) {
        if (drafted(device).has(text) && isOver(field, text)) {
          say(`tab ${tab} offered «${text}» as a draft, which was handed over`)
        }
      }
    },
    /** The page is gone: of what it was not told yet nothing is known. */
    unheard: (tab: number) => {
      shownIn.delete(tab)
      for (const hand of hands) {
        if (hand.tab === tab && hand.state === 'handed') hand.state = 'unknown'
      }
    },
    /** The server's data are an older copy from now on. */
    restored: (content: Content) => {
      for (const hand of hands) {
        pardoned.add(hand.subject)
        if (arrivals.has(hand)) hand.isUndone = true
      }
      // Forms of what nobody had changed may be open, too: they began in the other life of the data.
      for (const subject of content.rows.keys()) pardoned.add(subject)
      arrivals.restart(content)
    },
    /** What must hold when everything has come to rest. */
    atRest: (content: Content) => {
      for (const hand of hands) {
        if (hand.verb === 'message') checkMessage(content, hand)
        else if (isPromised(hand)) checkAtRest(hand, content)
      }
      checkVisibility(content)
    },
  }
}
