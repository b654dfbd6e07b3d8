/** Nesting and references deeper than this count as endless. */
const maxDepth = 120

interface Part {
  nodes: number
  /** The parts with an id directly inside this one. */
  readonly inner: Part[]
  readonly references: string[]
}

/**
 * Counts what a drawing unfolds to when every reference is drawn in place: a few lines can stand for millions of
 * shapes.
 */
interface Weight {
  open(id: string | undefined, references: readonly string[]): void
  close(): void
  /** Nodes after unfolding; Infinity when parts refer to each other in a circle. */
  total(): number
}

/** Counts what a drawing costs when its references are followed, while its elements are read. */
export function createWeight(): Weight {
  const whole = newPart()
  const named = new Map<string, Part[]>()
  /** The part that each open element counts for: its own, or that of the nearest element around it. */
  const open: Part[] = []
  return {
    open: (id, references) => {
      const around = open.at(-1) ?? whole
      const part = id ? newPart() : around
      if (id) {
        around.inner.push(part)
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

function newPart(): Part {
  return { nodes: 0, inner: [], references: [] }
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
    known.set(of, weight)
    return weight
  }
  return weightOf(whole, 0)
}
