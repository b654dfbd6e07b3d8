export type Encoding = 'br' | 'gzip' | 'identity'

const cache = new Map<string, Encoding>()

/** The encoding that an `Accept-Encoding` header likes best of those that we make; `identity` without one. */
export function chooseEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity'
  // Browsers send one of a handful of headers; the bound keeps strangers from filling the memory.
  const known = cache.get(header)
  if (known !== undefined) return known
  const chosen = parse(header)
  if (cache.size < 100) cache.set(header, chosen)
  return chosen
}

function parse(header: string): Encoding {
  const accepted = new Set<string>()
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim())
    const refused = parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter))
    if (!refused) accepted.add(coding)
  }
  if (accepted.has('br')) return 'br'
  return accepted.has('gzip') ? 'gzip' : 'identity'
}
