/** A source of chance that gives the same sequence for the same seed. */
export interface Random {
  /** A whole number from 0 up to, but without, `end`. */
  below(end: number): number
  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean
  /** One of the items; undefined when there are none. */
  pick<T>(items: readonly T[]): T | undefined
  /** One of the names, as often as its weight says. */
  weighted<N extends string>(weights: Readonly<Record<N, number>>): N
}

/** The mulberry32 generator: small, and even enough for schedules of tests. */
export function createRandom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    below,
    chance: (percent) => next() * 100 < percent,
    pick: (items) => items[below(items.length)],
    weighted: <N extends string>(weights: Readonly<Record<N, number>>) => {
      const names = Object.keys(weights) as N[]
      let left = below(names.reduce((sum, name) => sum + weights[name], 0))
      const found = names.find((name) => (left -= weights[name]) < 0)
      if (found === undefined) throw new RangeError('nothing to choose from')
      return found
    },
  }
}
