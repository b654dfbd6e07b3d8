import type { FieldValues } from '../fields.ts'
import { sections } from '../sections/index.ts'
import type { KeptItem } from './kept.ts'
import { identityOf, isEmpty, type Choice, type Proposal } from './proposals.ts'
import type { ReadResume } from './resume.ts'

export interface Decision {
  readonly choice: Choice
  /** Which side each differing field takes. */
  readonly sides: Readonly<Record<string, 'here' | 'there'>>
}

/** What happens to a proposal as decided: what is left as it is changes nothing, whatever it is called. */
export type Effect = 'add' | 'combine' | 'draft' | 'leave'

/** A profile or a combined entry that would take nothing from the file is left. */
export function effectOf(proposal: Proposal, decision: Decision): Effect {
  const { choice } = decision
  if (choice === 'add' && proposal.section) return proposal.isDraft ? 'draft' : 'add'
  return Object.keys(takenOf(proposal, decision)).length > 0 ? choice : 'leave'
}

/** The fields that come from the file. */
export function takenOf({ differences }: Proposal, { choice, sides }: Decision): FieldValues {
  const taken = differences.filter(({ name }) => choice === 'add' || sides[name] === 'there')
  return Object.fromEntries(taken.map(({ name, there }) => [name, there]))
}

export interface Decided {
  readonly read: ReadResume
  readonly proposals: readonly Proposal[]
  readonly decisionOf: (proposal: Proposal) => Decision
}

/** In the order in which they are to be made: where the newest stands first, the first of the file is made last. */
export function inMakingOrder(proposals: readonly Proposal[]): readonly Proposal[] {
  const profile = proposals.filter(({ section }) => !section)
  const entries = sections.flatMap((section) => {
    const own = proposals.filter((one) => one.section?.key === section.key)
    return section.order === 'newest-first' ? own.toReversed() : own
  })
  return [...profile, ...entries]
}

/** The items that something was made of, with the ids of that, and those of which nothing can be made. */
export function keptItems(
  { read, proposals, decisionOf }: Decided,
  ids: ReadonlyMap<Proposal, string>,
): readonly KeptItem[] {
  const proposed = new Map(
    proposals.map((proposal) => [`${proposal.item} ${proposal.place}`, proposal]),
  )
  const said = new Map(
    read.items.flatMap((found, index) => {
      const proposal = proposed.get(`${index} 0`)
      return proposal ? [[identityOf(found, proposal.values), proposal] as const] : []
    }),
  )
  return read.items.flatMap((found, index): readonly KeptItem[] => {
    const { member, item, entries } = found
    // What says nothing the site could show stands for itself.
    if (entries.every(isEmpty)) return [{ member, item, ids: [] }]
    const places = entries.map((values, place) => {
      const own = proposed.get(`${index} ${place}`)
      // One that says again what one before it says is about the same entry, whatever else they hold; a keyword stays as it is.
      return own ?? ('group' in values ? undefined : said.get(identityOf(found, values)))
    })
    const own = places.flatMap((proposal) => (proposal ? [proposal] : []))
    if (own.length > 0 && !own.some((proposal) => ids.has(proposal))) return []
    // What she left is gone from it, what was said twice is not.
    const known = places.map((proposal) => (proposal ? (ids.get(proposal) ?? '') : null))
    const isWaiting = own.some((one) => effectOf(one, decisionOf(one)) === 'draft')
    return [{ member, item, ids: known, ...(isWaiting && { isWaiting }) }]
  })
}
