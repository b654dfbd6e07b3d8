import { createFairQueue } from '../edge/fair-queue.ts'
import { createThread, threadFile } from '../thread.ts'
import { createRecent } from './recent.ts'

/** How many fonts may wait; the site's own comes first and is always made. */
const maxWaiting = 20

/** The base64 of a font with the letters of a text; `isOwn` for the title of this very site. */
type TitleFont = (text: string, isOwn: boolean) => Promise<string>

/**
 * Makes subsets of Geist Mono in a thread of their own, one at a time, since each takes some ten milliseconds; those made
 * last are remembered by the letters they hold, and the site's own apart, where no stranger's wish drives them out.
 */
export function createTitleFont(): TitleFont {
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
