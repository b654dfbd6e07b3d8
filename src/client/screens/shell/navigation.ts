import { sections } from '#contract/sections/index.ts'
import { hiddenSections, type SettingValues } from '#contract/settings.ts'
import { texts } from '#contract/texts.ts'

export interface Place {
  readonly path: string
  readonly label: string
  readonly icon: string
}

/** The sections a visitor sees, in the navigation's order. */
export function visibleSections(settings: SettingValues) {
  const hidden = hiddenSections(settings)
  return sections.filter(({ key }) => !hidden.includes(key))
}

/** Every page of the navigation, in order. */
export function placesOf(settings: SettingValues): readonly Place[] {
  return [
    { path: '/', label: texts.home, icon: 'home' },
    { path: '/about', label: texts.about, icon: 'user' },
    ...visibleSections(settings).map(({ path, title, icon }) => ({ path, label: title, icon })),
    { path: '/contact', label: texts.contact, icon: 'mail' },
  ]
}

const sectionsInBar = 2

/** The places a phone's bar has room for; the others are behind «more». */
export function splitPlaces(settings: SettingValues): {
  readonly inBar: readonly Place[]
  readonly behindMore: readonly Place[]
} {
  const places = placesOf(settings)
  const first = visibleSections(settings).slice(0, sectionsInBar)
  const wanted = new Set(['/', '/contact', ...first.map(({ path }) => path)])
  return {
    inBar: places.filter(({ path }) => wanted.has(path)),
    behindMore: places.filter(({ path }) => !wanted.has(path)),
  }
}
