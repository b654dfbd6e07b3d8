import type { SiteData } from '#contract/api.ts'
import type { FieldValues } from '#contract/fields.ts'
import { sample } from '#contract/sample.ts'
import { sections } from '#contract/sections/index.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import type { Entry } from '#contract/sections/section.ts'

export interface SiteDataOptions {
  readonly person?: FieldValues
  readonly settings?: Readonly<Record<string, string>>
  /** By section key; a section that is not named keeps the sample's. */
  readonly entries?: Readonly<Record<string, readonly FieldValues[]>>
}

/** The setting that turns on every section that begins off. */
export const everySection = {
  sections_shown: sections
    .filter(({ startsOff }) => startsOff)
    .map(({ key }) => key)
    .join(','),
}

/** A site's content: the sample, with the parts given instead of its own. */
export function siteData({ person, settings, entries }: SiteDataOptions = {}): SiteData {
  const given = { ...sample.entries, ...entries }
  return {
    person: { version: 1, fields: { ...sample.person, ...person } },
    settings: { ...defaultSettings, ...sample.settings, ...settings },
    entries: Object.fromEntries(sections.map(({ key }) => [key, (given[key] ?? []).map(entryOf)])),
  }
}

function entryOf(fields: FieldValues, index: number): Entry {
  return { id: String(index + 1), version: 1, fields }
}
