import type { Draft } from '#contract/fields.ts'
import { pictureId, type Operation } from '#client/data/outbox/operation.ts'
import type { OutboxStore } from '#client/data/outbox/store.ts'
import { refusedMark, type FakeApi } from './fake-api.ts'

/** One change as its owner made it. Every text in it appears in no other change. */
export interface Made {
  readonly number: number
  /** The operation's id. */
  readonly id: string
  readonly subject: string
  readonly verb: Operation['verb']
  readonly values: Draft
  /** Taken back by the owner's word, or never confirmed by a page that was closed. */
  isDropped: boolean
}

interface LedgerParts {
  readonly durable: OutboxStore
  readonly api: FakeApi
}

/** Everything the owner did, and what must have come of it. */
export function createLedger({ durable, api }: LedgerParts) {
  const made: Made[] = []
  const takenBack = new Set<string>()

  /** Whether a change is on the server or waits on the device. */
  async function hasTrace({ id, subject, verb, values }: Made): Promise<boolean> {
    const queued = await durable.read()
    if (queued.some((operation) => operation.id === id)) return true
    if (verb === 'remove') {
      const waiting = queued.filter((operation) => subjectOf(operation) === subject)
      const isGone =
        api.fieldsOf(subject) === undefined &&
        waiting.every((operation) => operation.verb !== 'create')
      return isGone || waiting.some((operation) => operation.verb === 'remove')
    }
    const texts = new Set(Object.values(values).map(plain))
    const isAmong = (fields: Draft) => Object.values(fields).some((text) => texts.has(plain(text)))
    if (api.log.some((applied) => applied.subject === subject && isAmong(applied.values)))
      return true
    const pictures = await Promise.all(
      queued.map((operation) => durable.picture(pictureId(operation))),
    )
    const shows = pictures.map((picture) =>
      picture && 'shows' in picture ? `/media/${String(picture.shows)}` : '',
    )
    return (
      queued.some(({ values: waiting }) => isAmong(waiting)) ||
      shows.some((text) => texts.has(text))
    )
  }

  /** A later change may have taken this one's place before it was sent. */
  const isReplaced = ({ number, subject }: Made) =>
    made.some((later) => later.number > number && later.subject === subject)

  async function dropWithoutTrace(changes: readonly Made[]): Promise<void> {
    for (const change of changes) if (!(await hasTrace(change))) change.isDropped = true
  }

  const onSubject = (subject: string) => made.filter((change) => change.subject === subject)

  return {
    made,
    /** What the owner is told of a change must be true at that moment. */
    told: async (change: Made, state: string): Promise<void> => {
      if (state === 'refused') {
        change.isDropped = true
        // A removal takes what was not sent yet along, also when it is refused.
        if (change.verb === 'remove') await dropWithoutTrace(onSubject(change.subject))
      } else if (state === 'failed' && takenBack.has(change.subject)) {
        // Whoever still waited for what the owner took back hears that it did not work.
        await dropWithoutTrace([change])
      } else if (!(await hasTrace(change)) && !isReplaced(change)) {
        throw new Error(
          `change ${change.number} (${change.verb}) was said to be ${state} and is nowhere`,
        )
      }
    },
    /** A page went before it could say whether it kept these. */
    dropUnkept: dropWithoutTrace,
    /** The owner took back what was queued of this. */
    discarded: (subject: string) => dropWithoutTrace(onSubject(subject)),
    /** The owner is about to take back something queued of this. */
    takesBack: (subject: string) => void takenBack.add(subject),
    /** What the server must hold in the end, by subject; undefined for what was removed. */
    expected: (): ReadonlyMap<string, Draft | undefined> => {
      const result = new Map<string, Draft | undefined>()
      for (const { subject, verb, values, isDropped } of made) {
        if (isDropped) continue
        const before = result.get(subject)
        if (verb === 'remove') result.set(subject, undefined)
        else if (verb === 'create' || before || subject === 'person') {
          result.set(subject, { ...before, ...plainValues(values) })
        }
      }
      return result
    },
  }
}

/** The name of an operation's subject in this history. */
export function subjectOf({ subject }: Operation): string {
  return subject.on === 'entry' ? `${subject.section}/${subject.id}` : subject.on
}

/** A text once the owner has put right what the server refused. */
export function plain(text: string): string {
  return text.replaceAll(refusedMark, '')
}

function plainValues(values: Draft): Draft {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, plain(text)]))
}

/** The refused texts of an operation, put right. */
export function correctionOf(values: Draft): Draft {
  const refused = Object.entries(values).filter(([, text]) => text.includes(refusedMark))
  return plainValues(Object.fromEntries(refused))
}
