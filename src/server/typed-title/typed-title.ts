import { encodingsOf, type Encodings } from '../edge/encodings.ts'
import { drawTitle } from './draw-title.ts'
import { createFairQueue } from '../edge/fair-queue.ts'
import { createThread, threadFile } from '../thread.ts'

/** What is drawn: the lines as they stand, in letters of this size. */
export interface TitleDrawing {
  readonly lines: readonly string[]
  /** Six hexadecimal digits. */
  readonly color: string
  readonly letterPx: number
  readonly width: number
  readonly height: number
  readonly centered: boolean
  /** Wait between two lines, in milliseconds. */
  readonly pauseMs: number
}

/** Draws titles that type themselves, as self-contained SVG. */
export interface TitlePictures {
  /** The drawing that is in memory. */
  kept(drawing: TitleDrawing): Promise<Encodings> | undefined
  /** The drawing; the same one again comes from memory. Throws 503 when too many wait, never for the site's own title. */
  svg(drawing: TitleDrawing, isOwn: boolean): Promise<Encodings>
}

/** Draws the title as it is typed, and keeps the last hundred drawings. */
export function createTypedTitle(): TitlePictures {
  const recent = createRecent<Encodings>(100)
  const fontFor = createTitleFont()
  return {
    kept: (drawing) => recent.kept(JSON.stringify(drawing)),
    svg: (drawing, isOwn) =>
      recent(JSON.stringify(drawing), async () =>
        encodingsOf(Buffer.from(drawTitle(drawing, await fontFor(drawing.lines.join(''), isOwn)))),
      ),
  }
}

/** How many fonts may wait; the site's own comes first and is always made. */
const maxWaiting = 20

/** The base64 of a font with the letters of a text; `isOwn` for the title of this very site. */
type TitleFont = (text: string, isOwn: boolean) => Promise<string>

/**
 * Makes subsets of Geist Mono in a thread of their own, one at a time, since each takes some ten milliseconds; those made
 * last are remembered by the letters they hold, and the site's own apart, where no stranger's wish drives them out.
 */
function createTitleFont(): TitleFont {
  const own = createRecent<string>(4)
  const others = createRecent<string>(50)
  const inTurn = createFairQueue(maxWaiting)
  const subset = createThread<string>(threadFile('font-worker', import.meta.url), {
    withinMs: 20_000,
    memoryMb: 64,
  })
  return (text, isOwn) => {
    const letters = [...new Set(text)].toSorted().join('')
    const recent = isOwn ? own : others
    return recent(letters, () => inTurn(isOwn ? 0 : 1, () => subset(letters)))
  }
}

/** Remembers what was made last; see `createRecent`. */
interface Recent<T> {
  (key: string, make: () => Promise<T>): Promise<T>
  /** What is remembered under the key. */
  kept(key: string): Promise<T> | undefined
}

/** Remembers what was made last, at most so many things; who asks for one being made waits for the same. A failure is not remembered. */
function createRecent<T>(limit: number): Recent<T> {
  const kept = new Map<string, Promise<T>>()
  const recent = (key: string, make: () => Promise<T>): Promise<T> => {
    const found = kept.get(key) ?? make()
    // Set anew, a key is the youngest; the oldest one goes.
    kept.delete(key)
    kept.set(key, found)
    found.catch(() => kept.delete(key))
    if (kept.size > limit) kept.delete(kept.keys().next().value ?? key)
    return found
  }
  return Object.assign(recent, { kept: (key: string) => kept.get(key) })
}
