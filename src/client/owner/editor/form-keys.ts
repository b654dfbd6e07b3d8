import type { Section } from '#contract/sections/section.ts'

/** The names under which the forms keep their drafts on this device. */
export const newForm = (section: Section) => `${section.key}-new`
export const editForm = (section: Section, id: string) => `${section.key}-${id}`
export const personForm = (form: string) => `person-${form}`
/** An order that is being made is a form without a draft: the page alone has it. */
export const orderForm = (section: Section) => `order:${section.key}`
