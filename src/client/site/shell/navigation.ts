import { pages } from '#contract/pages.ts'
import { sections } from '#contract/sections/index.ts'
import { hiddenSections, type SettingValues } from '#contract/settings.ts'

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
  const hidden = hiddenSections(settings)
  const hiddenPaths = sections.filter(({ key }) => hidden.includes(key)).map(({ path }) => path)
  return pages.flatMap(({ path, title, icon }) =>
    icon === undefined || hiddenPaths.includes(path) ? [] : [{ path, label: title, icon }],
  )
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
