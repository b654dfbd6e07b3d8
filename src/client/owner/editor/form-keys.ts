import type { Section } from '#contract/sections/section.ts'

/** The names under which the forms keep their drafts on this device. */
export const newForm = (section: Section) => `${section.key}-new`
export const editForm = (section: Section, id: string) => `${section.key}-${id}`
export const personForm = (form: string) => `person-${form}`
