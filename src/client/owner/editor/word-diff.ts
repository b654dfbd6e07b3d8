import { diffArrays } from 'diff'

export interface DiffPiece {
  readonly text: string
  readonly isChanged: boolean
}

/** Comparing takes time by the square of the differences; beyond so many the whole text counts as changed. */
const mostEdits = 2000

export interface Step {
  readonly text: string
  readonly is: 'same' | 'gone' | 'come'
}

/** Without the `come` steps it is `from`, without the `gone` steps `to`. */
export function wordSteps(from: string, to: string): readonly Step[] {
  const parts = comparedWords(from, to)
  const steps: Step[] = []
  if (!parts) {
    addExchange(steps, [
      { text: from, is: 'gone' },
      { text: to, is: 'come' },
    ])
    return steps
  }
  const words = parts.flatMap(({ value, added, removed }) =>
    value.map((text): Step => ({ text, is: added ? 'come' : removed ? 'gone' : 'same' })),
  )
  let run: Step[] = []
  for (const [index, word] of words.entries()) {
    // A lone space between changed words is part of the change.
    const next = words[index + 1]?.is ?? 'same'
    const isBetween = word.text.trim() === '' && run.length > 0 && next !== 'same'
    if (word.is !== 'same' || isBetween) {
      run.push(word)
      continue
    }
    addExchange(steps, run)
    run = []
    addStep(steps, word)
  }
  addExchange(steps, run)
  return steps
}

/** Orders a mixed run: first the words that go, then the words that come. */
function addExchange(steps: Step[], run: readonly Step[]): void {
  const has = (side: Step['is']) => run.some(({ is }) => is === side)
  if (!has('gone') || !has('come')) return run.forEach((step) => addStep(steps, step))
  for (const side of ['gone', 'come'] as const) {
    const own = run.filter(({ is }) => is === side || is === 'same')
    addStep(steps, { text: own.map(({ text }) => text).join(''), is: side })
  }
}

/** Adds to the last step where that is of the same kind. */
function addStep(steps: Step[], { text, is }: Step): void {
  const last = steps.at(-1)
  if (last?.is === is) steps[steps.length - 1] = { text: last.text + text, is }
  else if (text !== '') steps.push({ text, is })
}

/** Undefined where the texts share too little. */
function comparedWords(from: string, to: string): readonly Part[] | undefined {
  return diffArrays(wordsOf(from), wordsOf(to), { maxEditLength: mostEdits })
}

/** The shared words, in the same order, are unchanged. */
export function diffWords(mine: string, theirs: string): readonly [DiffPiece[], DiffPiece[]] {
  const parts = comparedWords(mine, theirs) ?? []
  const side = (other: 'added' | 'removed', text: string) =>
    parts.length > 0
      ? join(parts.filter((part) => !part[other]).flatMap(piecesOf))
      : [{ text, isChanged: mine !== theirs }]
  return [side('added', mine), side('removed', theirs)]
}

/** Words with their accents and vowel points, spaces, flags, and signs with what belongs to them. */
const wordsAndSigns =
  /[\p{L}\p{N}\p{M}]+|\s+|\p{RI}{2}|\P{M}(?:[\p{M}\p{Emoji_Modifier}]|\u200D\p{Extended_Pictographic}?)*/gu

function wordsOf(text: string): string[] {
  return text.match(wordsAndSigns) ?? []
}

interface Part {
  readonly value: readonly string[]
  readonly added: boolean
  readonly removed: boolean
}

function piecesOf({ value, added, removed }: Part): readonly DiffPiece[] {
  return value.map((text) => ({ text, isChanged: added || removed }))
}

/** Joins neighbours of one kind; a lone space between changed words is part of the change. */
function join(words: readonly DiffPiece[]): DiffPiece[] {
  const pieces: DiffPiece[] = []
  words.forEach(({ text, isChanged: isOwn }, index) => {
    const isBetween =
      text.trim() === '' &&
      words[index - 1]?.isChanged === true &&
      words[index + 1]?.isChanged === true
    const isChanged = isOwn || isBetween
    const last = pieces.at(-1)
    if (last?.isChanged === isChanged)
      pieces[pieces.length - 1] = { text: last.text + text, isChanged }
    else pieces.push({ text, isChanged })
  })
  return pieces
}
