import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import type { Subject } from './operation.ts'

/** The section that a kept operation is about; throws for one this build no longer has. */
export function sectionOf({ section: key }: Extract<Subject, { on: 'entry' | 'order' }>): Section {
  const section = sections.find((candidate) => candidate.key === key)
  if (!section) throw new TypeError(`no section ${key}`)
  return section
}
