/** Another order of a section's entries: the one that she saw, and what she moved in it. */
export interface NewOrder {
  /** The entries by their ids, in the server's order: all of them, or of a long list those that what was moved stands behind. */
  readonly order: readonly string[]
  readonly moved: readonly string[]
}

/** The most ids that one order may name. */
export const mostOrdered = 1_000

/** Path of the call behind a section's own. */
export const orderCall = 'order'

/**
 * The rows in another order: each that was moved stands directly behind the nearest of those that it was put behind, as far
 * as they are still there. Whatever was not moved stays, so that orders made apart from each other both hold.
 */
export function arranged<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { order, moved }: NewOrder,
): readonly Row[] {
  const present = new Map(rows.map((row) => [row.id, row]))
  const asked = new Set(moved)
  const isMoved = (id: string) => asked.has(id) && present.has(id)
  const next = new Map<string | undefined, string>()
  let before: string | undefined
  const kept = [...new Set(order)].filter((id) => present.has(id))
  for (const id of kept) {
    if (isMoved(id)) next.set(before, id)
    before = id
  }
  const isPlaced = new Set(next.values())
  const behind = (id: string | undefined): readonly Row[] => {
    const found: Row[] = []
    for (let at = next.get(id); at !== undefined; at = next.get(at)) {
      const row = present.get(at)
      if (row) found.push(row)
    }
    return found
  }
  const rest = rows.filter(({ id }) => !isPlaced.has(id))
  return [...behind(undefined), ...rest.flatMap((row) => [row, ...behind(row.id)])]
}
