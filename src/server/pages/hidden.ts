import type { SiteData } from '#contract/api.ts'
import { sections } from '#contract/sections/index.ts'
import { hiddenSections, settingsOf } from '#contract/settings/settings.ts'
import { withoutHidden } from '#contract/entries/hidden.ts'

/** The site as visitors get it: without hidden entries, and hidden sections have none. */
export function visitorsSite(data: SiteData): SiteData {
  const hidden = hiddenSections(settingsOf(data.settings))
  const visible = <T>(lists: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(lists).filter(([key]) => !hidden.includes(key)))
  const { entries, counts = {} } = withoutHidden(data)
  return { ...data, entries: visible(entries), counts: visible(counts) }
}

/** Whether the page at a path is one of a hidden section. */
export function isHiddenPage(path: string, { settings }: SiteData): boolean {
  const key = sections.find((one) => path === one.path || path.startsWith(`${one.path}/`))?.key
  return key !== undefined && hiddenSections(settingsOf(settings)).includes(key)
}
