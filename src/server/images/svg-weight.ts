/** Nesting and references deeper than this count as endless. */
const maxDepth = 120

/** What of a part is counted: its nodes, the ends of its lines, and all their vertices. */
const countings = ['nodes', 'ends', 'vertices'] as const
type Counting = (typeof countings)[number]
type Counts = Record<Counting, number>

/** What paints a part: each of its nodes, or, as markers do, each end or each vertex of its lines. */
type Paints = Readonly<Record<Counting, readonly string[]>>

interface Part {
  readonly own: Counts
  /** The parts with an id directly inside this one. */
  readonly inner: Part[]
  readonly references: string[]
  readonly paints: Paints
}

interface Opened {
  readonly id: string | undefined
  readonly ends: number
  readonly vertices: number
  /** The parts that are drawn in its place. */
  readonly references: readonly string[]
  /** The parts that paint it and, since that is inherited, all in it. */
  readonly paints: Paints
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
  const whole = newPart({ nodes: [], ends: [], vertices: [] })
  const named = new Map<string, Part[]>()
  /** The part that each open element counts for: its own, or that of the nearest element around it. */
  const open: Part[] = []
  return {
    open: ({ id, references, paints, ends, vertices }) => {
      const around = open.at(-1) ?? whole
      const isOwn = Boolean(id) || countings.some((counting) => paints[counting].length > 0)
      const part = isOwn ? newPart(paints) : around
      if (isOwn) around.inner.push(part)
      if (id) {
        const same = named.get(id)
        if (same) same.push(part)
        else named.set(id, [part])
      }
      part.own.nodes++
      part.own.ends += ends
      part.own.vertices += vertices
      for (const reference of references) part.references.push(reference)
      open.push(part)
    },
    close: () => void open.pop(),
    total: () => weigh(whole, named),
  }
}

function newPart(paints: Paints): Part {
  return { own: { nodes: 0, ends: 0, vertices: 0 }, inner: [], references: [], paints }
}

const endless: Counts = { nodes: Infinity, ends: Infinity, vertices: Infinity }

function weigh(whole: Part, named: ReadonlyMap<string, readonly Part[]>): number {
  const known = new Map<Part | string, Counts>()
  const countsOf = (of: Part | string, depth: number): Counts => {
    if (depth > maxDepth) return endless
    const before = known.get(of)
    if (before !== undefined) return before
    const isName = typeof of === 'string'
    const parts = isName ? (named.get(of) ?? []) : [...of.inner, ...of.references]
    const counts = isName ? { nodes: 0, ends: 0, vertices: 0 } : { ...of.own }
    // An endless drawing need not be counted further.
    for (const part of parts) {
      if (counts.nodes === Infinity) break
      const more = countsOf(part, depth + 1)
      for (const counting of countings) counts[counting] += more[counting]
    }
    if (!isName) counts.nodes = painted(counts, of.paints, depth)
    known.set(of, counts)
    return counts
  }
  const painted = (counts: Counts, paints: Paints, depth: number): number => {
    let nodes = counts.nodes
    for (const counting of countings) {
      for (const paint of paints[counting]) {
        // Nothing is painted where there is nothing, not even without end.
        if (nodes < Infinity && counts[counting] > 0) {
          nodes += counts[counting] * countsOf(paint, depth + 1).nodes
        }
      }
    }
    return nodes
  }
  return countsOf(whole, 0).nodes
}
