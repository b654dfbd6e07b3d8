import type { Notice } from './notices.ts'

const maxVisible = 3

/** Oldest first; questions are always visible, the rest waits its turn. */
export function visibleNotices(notices: readonly Notice[]): readonly Notice[] {
  const questions = notices.filter(({ question }) => question !== undefined)
  const others = notices.filter(({ question }) => question === undefined)
  return [...questions, ...others].slice(0, maxVisible).toSorted((a, b) => a.id - b.id)
}
