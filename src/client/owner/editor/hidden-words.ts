import { isHidden } from '#contract/entries/hidden.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { fill } from '#contract/text.ts'
import { hiddenTexts } from '#contract/texts/hidden.ts'

type Pair = readonly [masculine: string, feminine: string]

/** «Nueva experiencia» asks for the second word of the pair. */
export function inGenderOf({ words }: Pick<Section, 'words'>, pair: Pair): string {
  return pair[/^nueva\b/i.test(words.add) ? 1 : 0]
}

/** «1 oculta»; undefined where nothing is hidden. */
export function hiddenWords(section: Section, entries: readonly Entry[]): string | undefined {
  const n = entries.filter(isHidden).length
  return n === 0
    ? undefined
    : fill(inGenderOf(section, n === 1 ? hiddenTexts.hiddenOne : hiddenTexts.hidden), { n })
}

/** «3 publicados · 1 oculto»; undefined where nothing is hidden, so that the list is counted in its own words. */
export function hiddenCount(section: Section, entries: readonly Entry[]): string | undefined {
  const hidden = hiddenWords(section, entries)
  if (hidden === undefined) return undefined
  const n = entries.filter((entry) => !isHidden(entry)).length
  const shown = inGenderOf(section, n === 1 ? hiddenTexts.shownOne : hiddenTexts.shown)
  return `${fill(shown, { n })} · ${hidden}`
}
