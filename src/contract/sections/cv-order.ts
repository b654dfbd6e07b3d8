import type { Section } from './section.ts'
import { inOrder } from '../settings/settings.ts'

const usualRank = 5

/** Sections as the CV reads them: by their rank in it, until their owner has arranged them herself. */
export function inCvOrder(
  list: readonly Section[],
  settings: Parameters<typeof inOrder>[1],
): readonly Section[] {
  const ranked = list.toSorted((a, b) => (a.cvRank ?? usualRank) - (b.cvRank ?? usualRank))
  return inOrder(ranked, settings)
}
