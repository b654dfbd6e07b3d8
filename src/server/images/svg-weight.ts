/** Nesting and references deeper than this count as endless. */
const maxDepth = 120

interface Part {
  nodes: number
  /** The parts with an id directly inside this one. */
  readonly inner: Part[]
  readonly references: string[]
  /** What paints each node of it. */
  readonly paints: readonly string[]
}

interface Opened {
  readonly id: string | undefined
  /** The parts that are drawn in its place. */
  readonly references: readonly string[]
  /** The parts that paint it and, since that is inherited, all in it. */
  readonly paints: readonly string[]
}

/**
 * Counts what a drawing unfolds to when every reference is drawn in place: a few lines can stand for millions of
 * shapes.
 */
interface Weight {
  open(element: Opened): void
  close(): void
  /** Nodes after unfolding; Infinity when parts refer to each other in a circle. */
  total(): number
}

/** Counts what a drawing costs when its references are followed, while its elements are read. */
export function createWeight(): Weight {
  const whole = newPart([])
  const named = new Map<string, Part[]>()
  /** The part that each open element counts for: its own, or that of the nearest element around it. */
  const open: Part[] = []
  return {
    open: ({ id, references, paints }) => {
      const around = open.at(-1) ?? whole
      const isOwn = Boolean(id) || paints.length > 0
      const part = isOwn ? newPart(paints) : around
      if (isOwn) around.inner.push(part)
      if (id) {
        const same = named.get(id)
        if (same) same.push(part)
        else named.set(id, [part])
      }
      part.nodes++
      for (const reference of references) part.references.push(reference)
      open.push(part)
    },
    close: () => void open.pop(),
    total: () => weigh(whole, named),
  }
}

function newPart(paints: readonly string[]): Part {
  return { nodes: 0, inner: [], references: [], paints }
}

function weigh(whole: Part, named: ReadonlyMap<string, readonly Part[]>): number {
  const known = new Map<Part | string, number>()
  const weightOf = (of: Part | string, depth: number): number => {
    if (depth > maxDepth) return Infinity
    const before = known.get(of)
    if (before !== undefined) return before
    const isName = typeof of === 'string'
    const parts = isName ? (named.get(of) ?? []) : [...of.inner, ...of.references]
    let weight = isName ? 0 : of.nodes
    // An endless drawing need not be counted further.
    for (const part of parts) if (weight < Infinity) weight += weightOf(part, depth + 1)
    let painted = 1
    for (const paint of isName ? [] : of.paints) {
      if (painted < Infinity) painted += weightOf(paint, depth + 1)
    }
    weight *= painted
    known.set(of, weight)
    return weight
  }
  return weightOf(whole, 0)
}
