import { mostOrdered, type NewOrder } from '#contract/entries/order.ts'

/**
 * The same order in fewer ids, where a list is longer than an order may name: what was moved, and for each of these the entries
 * right before it, as many as there is room for. The server may refuse whoever moves more than half as many as may be named.
 */
export function briefOrder({ order, moved }: NewOrder): NewOrder {
  if (order.length <= mostOrdered) return { order, moved }
  const asked = new Set(moved)
  const places = order.flatMap((id, place) => (asked.has(id) ? [place] : []))
  const each = Math.max(1, Math.floor(mostOrdered / places.length) - 1)
  const named = new Set(
    places.flatMap((place) =>
      Array.from({ length: each + 1 }, (_, back) => place - back).filter((one) => one >= 0),
    ),
  )
  return { order: order.filter((_, place) => named.has(place)), moved }
}
