import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import type { Subject } from './operation.ts'

type OfSection = Extract<Subject, { on: 'entry' | 'order' }>

/** The section that a kept operation is about; undefined for one that this build has not, as after another version. */
export function knownSection({ section: key }: OfSection): Section | undefined {
  return sections.find((candidate) => candidate.key === key)
}

/** As `knownSection`, where nothing can be done without it: throws. */
export function sectionOf(subject: OfSection): Section {
  const section = knownSection(subject)
  if (!section) throw new TypeError(`no section ${subject.section}`)
  return section
}
