import type { FieldValues } from '#contract/fields.ts'
import type { Hand } from './ledger.ts'

/** The texts that histories type: each stands for one doing and is typed once. */
const isOurs = (text: string) => /^[wm]\d+$/.test(text)

/** Those of several texts that somebody typed. */
export function ownTexts(texts: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => isOurs(text)))
}

export type Sight = ReturnType<typeof createSight>

/** Whose each text is, and what whoever made a change had in view. */
export function createSight(hands: readonly Hand[]) {
  const handOf = (subject: string, field: string, text: string | undefined) =>
    text === undefined
      ? undefined
      : hands.find((hand) => hand.subject === subject && hand.values[field] === text)

  /** Whether a text is what a form showed, or what another of her changes that it showed was made over. */
  function wasSeen({ subject, seen }: Hand, field: string, text: string): boolean {
    let shown = seen[field]
    for (let turn = 0; turn < hands.length && shown !== undefined; turn++) {
      if (shown === text) return true
      shown = handOf(subject, field, shown)?.seen[field]
    }
    return shown === text
  }

  /**
   * Whether the one was made in view of the other: in the same tab after it, or by a form that showed it. Whoever signs in
   * there in her place sees nothing of what she has waiting.
   */
  function isMadeOver(later: Hand, earlier: Hand): boolean {
    if (later.order <= earlier.order) return false
    const texts = Object.entries(earlier.values)
    const isHers = later.tab === earlier.tab && later.account === earlier.account
    return isHers || texts.some(([field, text]) => wasSeen(later, field, text))
  }

  return { handOf, wasSeen, isMadeOver }
}
