/** How often each process of a site was asked since it was last counted. */
const askedOf: number[] = []

/** Answers with the next of the processes each time, as a proxy in front of them would. */
export function inTurns<Process>(first: Process, ...others: readonly Process[]): () => Process {
  const processes = [first, ...others]
  let turn = 0
  return () => {
    const place = turn++ % processes.length
    askedOf[place] = (askedOf[place] ?? 0) + 1
    return processes[place] ?? first
  }
}

/** The calls of processes that offer the same, each made of the next of them. */
export function callsInTurns<Calls extends object>(
  first: Calls,
  ...others: readonly Calls[]
): Calls {
  const next = inTurns(first, ...others)
  return new Proxy(first, { get: (_, name) => Reflect.get(next(), name) })
}

/** How many processes were asked at all; counts anew, since files of tests may share what they import. */
export const countAsked = (): number => askedOf.splice(0).length
