import type { SiteData } from '#contract/api.ts'
import { sections } from '#contract/sections/index.ts'
import { hiddenSections, settingsOf } from '#contract/settings.ts'
import { withoutHidden } from '#contract/hidden.ts'

/** The site as visitors get it: without hidden entries, and hidden sections have none. */
export function visitorsSite(data: SiteData): SiteData {
  const hidden = hiddenSections(settingsOf(data.settings))
  const shown = Object.entries(withoutHidden(data).entries)
  return { ...data, entries: Object.fromEntries(shown.filter(([key]) => !hidden.includes(key))) }
}

/** Whether the page at a path is that of a hidden section. */
export function isHiddenPage(path: string, { settings }: SiteData): boolean {
  const key = sections.find((section) => section.path === path)?.key
  return key !== undefined && hiddenSections(settingsOf(settings)).includes(key)
}
