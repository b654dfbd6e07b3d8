import { isObject, type JsonObject } from '../json.ts'
import { maxJsonBytes } from '../limits.ts'

/** An item of a résumé with the ids of the entries made of it; null for one that was not taken. */
export interface KeptItem {
  /** The list it stands in. */
  readonly member: string
  readonly item: unknown
  readonly ids: readonly (string | null)[]
  /** Its entries are not made yet: until then the item speaks for itself. */
  readonly isWaiting?: true
}

/** What an import keeps word for word: what has no place on the site, and the items that its entries were made of. */
export interface KeptResume {
  readonly rest: JsonObject
  readonly items: readonly KeptItem[]
  /** The import that this is a part of, where that took several: the lists of one go on where those of the part before it end. */
  readonly importId?: string
  /** What an earlier version of the product says instead: it is of the import of the part before it. */
  readonly goesOn?: true
}

/** Deeper than any résumé, and far from what makes a reader of JSON give up. */
const deepest = 64

/** Reads back what was kept as text; undefined for any other text. */
export function parseKept(text: string): KeptResume | undefined {
  if (depthOf(text) > deepest) return undefined
  try {
    const kept: unknown = JSON.parse(text)
    if (!isObject(kept) || !isObject(kept['rest']) || !Array.isArray(kept['items'])) {
      return undefined
    }
    const items: readonly unknown[] = kept['items']
    if (!items.every(isKeptItem)) return undefined
    const { rest, importId, goesOn } = kept
    return {
      rest,
      items,
      ...(typeof importId === 'string' && { importId }),
      ...(goesOn === true && { goesOn }),
    }
  } catch {
    return undefined // no JSON
  }
}

function isKeptItem(value: unknown): value is KeptItem {
  if (!isObject(value) || typeof value['member'] !== 'string' || !('item' in value)) return false
  const { ids }: { readonly ids?: unknown } = value
  return Array.isArray(ids) && ids.every((id) => id === null || typeof id === 'string')
}

/** How deep the brackets of a text nest, those inside its strings included. */
export function depthOf(text: string): number {
  let [depth, most] = [0, 0]
  for (const letter of text) {
    if (letter === '{' || letter === '[') most = Math.max(most, ++depth)
    else if (letter === '}' || letter === ']') depth--
  }
  return most
}

/** How large a part may be, in letters of JSON. */
const largestPart = 24_000
/** How much of a call it may fill; the rest is for what stands around it. */
const largestSent = maxJsonBytes - 1000

/** Its letters, or more where they may fill more of a call than so many usually do: some take three bytes each. */
function sizeOf(part: KeptResume): number {
  const said = JSON.stringify(part)
  const sent = JSON.stringify(said).replace(/[^ -~]/g, '···').length
  return Math.max(said.length, (sent * largestPart) / largestSent)
}

/** The parts in which an import is sent, each small enough; undefined where one thing alone is too large. */
export function partsOf({ rest, items, importId }: KeptResume): readonly KeptResume[] | undefined {
  const pieces: readonly KeptResume[] = [
    ...Object.entries(rest).flatMap(([name, value]) => piecesOf(name, value)),
    ...items.map((item) => ({ rest: {}, items: [item] })),
  ]
  const parts: { part: KeptResume; size: number }[] = []
  for (const piece of pieces) {
    const size = sizeOf(piece)
    if (size > largestPart) return undefined
    const last = parts.at(-1)
    if (last && last.size + size <= largestPart) {
      last.part = goneOn(last.part, piece)
      last.size += size
    } else parts.push({ part: piece, size })
  }
  const isDivided = parts.length > 1 && importId !== undefined
  return parts.map(({ part }) => (isDivided ? { ...part, importId } : part))
}

/** What stands under a name; a list that is too large for one part item by item. */
function piecesOf(name: string, value: unknown): readonly KeptResume[] {
  const whole = { rest: { [name]: value }, items: [] }
  if (!Array.isArray(value) || sizeOf(whole) <= largestPart) return [whole]
  const list: readonly unknown[] = value
  return list.map((item) => ({ rest: { [name]: [item] }, items: [] }))
}

/** The parts of each import as one again, as far as they are there; an import stands where its first part does. */
export function importsOf(parts: readonly KeptResume[]): readonly KeptResume[] {
  return dividedImports(parts).map(([first, ...others]) => others.reduce(goneOn, first))
}

/** The parts of each import together. */
export function dividedImports<Part extends KeptResume>(
  parts: readonly Part[],
): readonly (readonly [Part, ...Part[]])[] {
  const imports = new Map<string | number, [Part, ...Part[]]>()
  let key: string | number = 0
  for (const [place, part] of parts.entries()) {
    if (!part.goesOn) key = part.importId ?? place
    const before = imports.get(key)
    if (before) before.push(part)
    else imports.set(key, [part])
  }
  return [...imports.values()]
}

/** A part with what the next one of its import says. */
function goneOn(part: KeptResume, { rest, items }: KeptResume): KeptResume {
  const further = Object.entries(rest).map(([name, value]) => {
    const before = Object.hasOwn(part.rest, name) ? part.rest[name] : undefined
    const isList = Array.isArray(before) && Array.isArray(value)
    return [name, isList ? [...(before as unknown[]), ...(value as unknown[])] : value] as const
  })
  return {
    ...part,
    rest: { ...part.rest, ...Object.fromEntries(further) },
    items: [...part.items, ...items],
  }
}
