interface Orders {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/**
 * The touched rows that must move for the one order to become the other, and no more of them than that; the rows that
 * were not touched stand in both in the same order.
 */
export function movedRows(
  touched: ReadonlySet<string>,
  { before, after }: Orders,
): readonly string[] {
  const was = placesOf(before, touched)
  const is = placesOf(after, touched)
  const mine = after.filter((id) => touched.has(id))
  const isBetweenTheSame = (id: string) => was.get(id)?.behind === is.get(id)?.behind
  const kept = longestRising(mine.filter(isBetweenTheSame), (id) => was.get(id)?.place ?? 0)
  return mine.filter((id) => !kept.includes(id))
}

/** Where each row stands, and behind how many of those that were not touched. */
function placesOf(ids: readonly string[], touched: ReadonlySet<string>) {
  let behind = 0
  return new Map(
    ids.map((id, place) => [id, { place, behind: touched.has(id) ? behind : behind++ }] as const),
  )
}

/** The most of them that stand one behind the other in both orders; of two equal choices, the first. */
function longestRising(ids: readonly string[], placeOf: (id: string) => number): readonly string[] {
  const runs: (readonly string[])[] = []
  for (const id of ids) {
    const before = runs.filter((run) => run.every((other) => placeOf(other) < placeOf(id)))
    runs.push([...longest(before), id])
  }
  return longest(runs)
}

function longest(runs: readonly (readonly string[])[]): readonly string[] {
  return runs.reduce((best, run) => (run.length > best.length ? run : best), [])
}
