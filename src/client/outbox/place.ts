/** The rows with one more directly behind the nearest of those that it stands behind; at the start where none of them is there. */
export function placeBehind<Row extends { readonly id: string }>(
  rows: readonly Row[],
  row: Row,
  behind: readonly string[] = [],
): readonly Row[] {
  const places = new Map(rows.map(({ id }, index) => [id, index]))
  const before = places.get(behind.findLast((id) => places.has(id)) ?? '') ?? -1
  return rows.toSpliced(before + 1, 0, row)
}
