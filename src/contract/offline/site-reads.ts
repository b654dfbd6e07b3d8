import { calls } from '../api.ts'
import { personId } from '../limits.ts'
import type { Section } from '../sections/section.ts'

/** The reads that all pages together are drawn from, below the API's base, of a site with these sections. */
export function siteReads(sections: readonly Section[]): readonly string[] {
  return [`${calls.personDetail}/${personId}`, calls.config, ...sections.map(({ key }) => key)]
}
