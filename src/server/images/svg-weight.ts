/** How often one part may lead to another before the drawing counts as endless. */
const maxChain = 50

interface Part {
  nodes: number
  readonly references: string[]
}

/** Counts what a drawing unfolds to when every reference is drawn in place: a few lines can stand for millions of shapes. */
export interface Weight {
  open(id: string | undefined, references: readonly string[]): void
  close(): void
  /** Nodes after unfolding; Infinity when parts refer to each other in a circle. */
  total(): number
}

const wholeDrawing = ''

export function createWeight(): Weight {
  const parts = new Map<string, Part>([[wholeDrawing, { nodes: 0, references: [] }]])
  const open: string[] = [wholeDrawing]
  return {
    open: (id, references) => {
      if (id && !parts.has(id)) parts.set(id, { nodes: 0, references: [] })
      open.push(id ?? wholeDrawing)
      for (const name of new Set(open)) {
        const part = parts.get(name)
        if (!part) continue
        part.nodes++
        part.references.push(...references)
      }
    },
    close: () => void open.pop(),
    total: () => weigh(parts),
  }
}

function weigh(parts: ReadonlyMap<string, Part>): number {
  const known = new Map<string, number>()
  const weightOf = (name: string, depth: number): number => {
    if (depth > maxChain) return Infinity
    const part = parts.get(name)
    const weight =
      known.get(name) ??
      (part?.references ?? []).reduce(
        (sum, reference) => (sum === Infinity ? sum : sum + weightOf(reference, depth + 1)),
        part?.nodes ?? 0,
      )
    known.set(name, weight)
    return weight
  }
  return weightOf(wholeDrawing, 0)
}
