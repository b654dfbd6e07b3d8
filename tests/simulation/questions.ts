import type { FieldValues } from '#contract/fields.ts'
import type { Hand } from './ledger.ts'
import { ownTexts, type Sight } from './sight.ts'

interface QuestionsOptions {
  readonly hands: readonly Hand[]
  readonly sight: Sight
  readonly say: (what: string) => void
  readonly isPardoned: (subject: string) => boolean
}

/** The choices that are asked of her: each takes that somebody has changed the thing beside her. */
export function createQuestions({ hands, sight, say, isPardoned }: QuestionsOptions) {
  /** Whether she knows this text: she saw it, made it, or made it over hers. */
  function isKnown(hand: Hand, field: string, text: string): boolean {
    if (hand.values[field] === text || sight.wasSeen(hand, field, text)) return true
    const maker = sight.handOf(hand.subject, field, text)
    return maker !== undefined && (sight.isMadeOver(maker, hand) || sight.isMadeOver(hand, maker))
  }

  /** Who sees a thing goes to and fro without a trace in its texts. */
  function isTurnedElsewhere({ subject, tab }: Hand): boolean {
    return hands.some(
      (hand) => hand.subject === subject && hand.hidden !== undefined && hand.tab !== tab,
    )
  }

  return {
    /** A choice is asked between what these changes say and what stands there instead. */
    asked: (made: readonly Hand[], there: FieldValues): void => {
      const last = made.at(-1)
      if (!last || isPardoned(last.subject) || made.some(isTurnedElsewhere)) return
      const texts = Object.entries(ownTexts(there))
      if (!made.every((hand) => texts.every(([field, text]) => isKnown(hand, field, text)))) return
      say(`change ${last.order} asks about ${last.subject}, which nobody else had changed`)
    },
  }
}
