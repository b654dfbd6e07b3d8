interface Vertices {
  /** At how many of them a path begins or ends. */
  readonly ends: number
  readonly all: number
}

/** How many numbers of a path's data make one vertex at least: the two flags of an arc and its end may be written as one. */
const numbersEach: Readonly<Record<string, number>> = { m: 2, l: 2, t: 2, s: 4, q: 4, c: 6, a: 5 }
const tokens = /[a-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi

/** How many vertices the shape has at most, each of which may carry a marker. */
export function verticesOf(
  name: string,
  { d = '', points = '' }: Readonly<Record<string, string>>,
): Vertices {
  if (name === 'path') return verticesOfPath(d)
  if (name === 'polyline' || name === 'polygon') {
    const numbers = points.match(tokens)?.length ?? 0
    return { ends: 2, all: numbers / 2 + 1 }
  }
  const isOutline = name === 'line' || name === 'rect' || name === 'circle' || name === 'ellipse'
  return isOutline ? { ends: 2, all: 5 } : { ends: 0, all: 0 }
}

function verticesOfPath(data: string): Vertices {
  let [ends, all, each] = [0, 0, 1]
  for (const [token] of data.matchAll(tokens)) {
    const command = token.toLowerCase()
    // An exponent is part of its number.
    if (!/^[a-z]/.test(command)) all += 1 / each
    else {
      each = numbersEach[command] ?? 1
      // What is closed ends where it began, and what follows begins there.
      if (command === 'm' || command === 'z') ends += 2
      if (command === 'z') all += 1
    }
  }
  return { ends, all }
}
