/** A stretch of a text that the other text has too, or has not. */
export interface Piece {
  readonly text: string
  readonly isChanged: boolean
}

type Flags = readonly boolean[]

/** Comparing costs time by the product of the lengths; beyond this the part in the middle counts as changed. */
const mostCells = 1_000_000

/** Both texts in pieces, by words: what they share in the same order is unchanged. */
export function diffWords(mine: string, theirs: string): readonly [Piece[], Piece[]] {
  const [a, b] = [wordsOf(mine), wordsOf(theirs)]
  const start = sharedStart(a, b)
  const end = sharedStart(a.slice(start).toReversed(), b.slice(start).toReversed())
  const [changedA, changedB] = compare(
    a.slice(start, a.length - end),
    b.slice(start, b.length - end),
  )
  const around = (words: readonly string[], middle: Flags) =>
    join(words, (index) => middle[index - start] ?? false)
  return [around(a, changedA), around(b, changedB)]
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? []
}

function sharedStart(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((word, index) => word !== b[index])
  return differs === -1 ? a.length : differs
}

/** Which words of either list are outside their longest common subsequence. */
function compare(a: readonly string[], b: readonly string[]): readonly [Flags, Flags] {
  const flags = [a.map(() => true), b.map(() => true)] as const
  const width = b.length + 1
  if ((a.length + 1) * width > mostCells) return flags
  const longest = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number) => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const both = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
      longest[i * width + j] = both
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) flags[0][i++] = flags[1][j++] = false
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return flags
}

/** Neighbours of one kind as one piece; a lone space between changed words is part of the change. */
function join(words: readonly string[], isChanged: (index: number) => boolean): Piece[] {
  const pieces: Piece[] = []
  words.forEach((text, index) => {
    const isBetween = text.trim() === '' && isChanged(index - 1) && isChanged(index + 1)
    const piece = { text, isChanged: isChanged(index) || isBetween }
    const last = pieces.at(-1)
    if (last?.isChanged === piece.isChanged)
      pieces[pieces.length - 1] = { ...last, text: last.text + text }
    else pieces.push(piece)
  })
  return pieces
}
