import { afterSections, beforeSections, type Page } from '#contract/pages.ts'
import { sections } from '#contract/sections/index.ts'
import { hiddenSections, inOrder, type SettingValues } from '#contract/settings/settings.ts'

export type Place = Required<Pick<Page, 'path' | 'title' | 'icon'>>

/** In the navigation's order. */
export function visibleSections(settings: SettingValues) {
  const hidden = hiddenSections(settings)
  return inOrder(sections, settings).filter(({ key }) => !hidden.includes(key))
}

export function placesOf(settings: SettingValues): readonly Place[] {
  return [
    ...beforeSections,
    ...visibleSections(settings),
    ...afterSections.filter((page) => 'icon' in page),
  ]
}

const sectionsInBar = 2

/** A phone's bar has room for only some places; the others are behind «more». */
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
