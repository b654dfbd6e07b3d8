import type { FieldValues } from '#contract/fields.ts'
import { project } from '#contract/sections/project.ts'
import type { Hand } from './ledger.ts'
import type { Sight } from './sight.ts'
import type { Applied, Content } from './world/site.ts'

interface ArrivalsOptions {
  readonly hands: readonly Hand[]
  readonly sight: Sight
  readonly say: (what: string) => void
  readonly isPardoned: (subject: string) => boolean
}

/** A field of something, with the text that was written into it. */
interface Written {
  readonly hand: Hand
  readonly field: string
  readonly text: string
  readonly before: string | undefined
}

/** What the server carried out, each write looked at in its moment: whose it is, whether once, in order, over what. */
export function createArrivals({ hands, sight, say, isPardoned }: ArrivalsOptions) {
  /** The texts that the server has ever taken, by subject and field. */
  const ever = new Set<string>()
  /** As `ever`, since an older copy last took the server's place. */
  const since = new Set<string>()
  const created = new Set<string>()
  const removed = new Set<string>()
  const latest = new Map<string, number>()
  const pictures = new Map<string, string>()
  let content: Content = { rows: new Map(), messages: [] }

  const keyOf = (subject: string, field: string, text: string) => `${subject} ${field} ${text}`
  function follow(write: Applied): void {
    content = write.after
    const change = changeIn(write)
    if (change?.verb === 'remove') return followRemoval(change.subject, write)
    if (!change) return
    const { subject, verb, values } = change
    if (verb === 'create' && removed.has(subject) && !isPardoned(subject)) {
      say(`${subject} came back after it was removed`)
    }
    if (verb === 'create') created.add(subject)
    const carried: Hand[] = []
    for (const [field, text] of Object.entries(values)) {
      const hand = sight.handOf(subject, field, text)
      if (!hand) continue
      carried.push(hand)
      checkAccount(hand, write)
      checkWritten({ hand, field, text, before: write.before.rows.get(subject)?.[field] })
      ever.add(keyOf(subject, field, text))
      since.add(keyOf(subject, field, text))
    }
    checkOrder(carried)
    checkPicture(carried, values)
  }

  function followRemoval(subject: string, write: Applied): void {
    removed.add(subject)
    const removals = hands.filter((one) => one.subject === subject && one.verb === 'remove')
    // Two owners of one device may each have removed it.
    const own = removals.filter(({ account }) => account === write.account)
    const hand = own.at(-1) ?? removals.at(-1)
    if (!hand) return
    checkAccount(hand, write)
    const name = write.before.rows.get(subject)?.['name']
    if (name === undefined || isPardoned(subject) || sight.wasSeen(hand, 'name', name)) return
    say(`change ${hand.order} removed «${name}», which she had not seen`)
  }

  function checkAccount({ order, account }: Hand, write: Applied): void {
    if (write.account === account) return
    say(`change ${order} of ${account} left under ${write.account}`)
  }

  function checkWritten({ hand, field, text, before }: Written): void {
    const { order, subject, verb } = hand
    if (before === text) return
    if (since.has(keyOf(subject, field, text))) {
      return say(`change ${order} (${text}) was carried out twice`)
    }
    if (before === undefined || before === '' || isPardoned(subject)) return
    if (verb === 'create') return say(`change ${order} (${text}) was made over «${before}»`)
    if (!sight.wasSeen(hand, field, before)) {
      say(`change ${order} (${text}) wrote over «${before}», which its form never showed`)
    }
  }

  /** One write may carry several changes: the last of them counts. */
  function checkOrder(carried: readonly Hand[]): void {
    const hand = latestOf(carried)
    if (!hand) return
    const { order, subject, device } = hand
    const key = `${subject} ${device}`
    const last = latest.get(key) ?? -1
    if (order < last && !isPardoned(subject)) {
      say(`change ${order} of ${subject} came after ${last}`)
    }
    latest.set(key, Math.max(order, last))
  }

  /**
   * The picture that a write brings is the last that was chosen with its texts, or with one that a later one took the place of;
   * and one comes if one was.
   */
  function checkPicture(carried: readonly Hand[], values: FieldValues): void {
    const first = latestOf(carried.filter(({ picture }) => picture !== undefined))
    if (!first) return
    const last = latestOf(carried)?.order ?? first.order
    const isIn = ({ order, subject, device, state, picture }: Hand) =>
      subject === first.subject &&
      device === first.device &&
      order >= first.order &&
      order <= last &&
      picture !== undefined &&
      state !== 'refused'
    const hand = latestOf(hands.filter(isIn)) ?? first
    const brought = pictures.get(values['image'] ?? '') ?? 'no picture'
    if (brought !== hand.picture) {
      say(`change ${hand.order} brought ${brought} instead of ${hand.picture}`)
    }
  }

  function has(hand: Hand): boolean {
    const { subject, verb, values } = hand
    if (verb === 'message') return content.messages.includes(values['message'] ?? '')
    if (verb === 'remove') return removed.has(subject) || !content.rows.has(subject)
    // Later edits may have taken the place of every text before it left.
    if (verb === 'create' && created.has(subject)) return true
    return Object.keys(values).some((field) => hasText(hand, field))
  }

  function hasText({ subject, verb, values }: Hand, field: string): boolean {
    const text = values[field] ?? ''
    if (verb === 'message') return content.messages.includes(text)
    return ever.has(keyOf(subject, field, text))
  }

  return {
    follow,
    has,
    hasText,
    /** A picture is stored under this address. */
    stored: (url: string, picture: string) => void pictures.set(url, picture),
    /** The server begins anew with an older copy. */
    restart: (older: Content) => {
      content = older
      since.clear()
      removed.clear()
      latest.clear()
    },
  }
}

function latestOf(carried: readonly Hand[]): Hand | undefined {
  return carried.toSorted((a, b) => b.order - a.order)[0]
}

function changeIn({ method, path, body }: Applied) {
  const [what = '', call = '', id = ''] = path.split('/')
  const json = (body === '' ? {} : JSON.parse(body)) as Readonly<Record<string, string>>
  const { id: made = id, ...values } = json
  if (what === 'person') return { subject: 'person', verb: 'update' as const, values }
  if (what !== project.key) return undefined
  if (method === 'DELETE') return { subject: `${what}/${id}`, verb: 'remove' as const, values }
  const verb = call === 'create' ? ('create' as const) : ('update' as const)
  return { subject: `${what}/${verb === 'create' ? made : id}`, verb, values }
}
