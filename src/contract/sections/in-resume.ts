/** Where an item of a résumé has what a field says. */
export type Told =
  | {
      readonly is: 'text' | 'link' | 'date'
      readonly at: string
      /** What the format called it before its version 1.0; many files still do. */
      readonly before?: string
    }
  /** From a start to an end, in words of at most so many characters where short ones are enough. */
  | { readonly is: 'span'; readonly limit?: number }
  /** What was studied: its kind and its area. Line by line what it consisted of, and how it ended. */
  | { readonly is: 'study' | 'courses' }
  /** The format has no place for it. */
  | { readonly is: 'own' }

/** The list of JSON Resume that a section's entries are in. */
interface ResumeList {
  readonly list: string
  readonly fields: Readonly<Record<string, Told>>
  /** Its items are groups: the keywords of one are entries, and the group is a field of theirs. */
  readonly group?: { readonly field: string; readonly keywords: string }
}

/** How each section is told in a résumé; one that is not here is not in it. Apart from the definitions, since no visitor's page asks. */
export const inResume: Readonly<Record<string, ResumeList>> = {
  experience: {
    list: 'work',
    fields: {
      name: { is: 'text', at: 'name', before: 'company' },
      role: { is: 'text', at: 'position' },
      description: { is: 'text', at: 'summary' },
      info: { is: 'link', at: 'url', before: 'website' },
      duration: { is: 'span' },
    },
  },
  education: {
    list: 'education',
    fields: {
      name: { is: 'study' },
      institution: { is: 'text', at: 'institution' },
      description: { is: 'courses' },
      info: { is: 'link', at: 'url' },
      duration: { is: 'span' },
    },
  },
  proyect: {
    list: 'projects',
    fields: {
      name: { is: 'text', at: 'name' },
      description: { is: 'text', at: 'description' },
      demo: { is: 'link', at: 'url' },
      duration: { is: 'span', limit: 20 },
      repo: { is: 'own' },
    },
  },
  skill: {
    list: 'skills',
    fields: { name: { is: 'text', at: 'name' } },
    group: { field: 'group', keywords: 'keywords' },
  },
  certificate: {
    list: 'certificates',
    fields: {
      name: { is: 'text', at: 'name' },
      issuer: { is: 'text', at: 'issuer' },
      duration: { is: 'date', at: 'date' },
      info: { is: 'link', at: 'url' },
    },
  },
  language: {
    list: 'languages',
    fields: { name: { is: 'text', at: 'language' }, level: { is: 'text', at: 'fluency' } },
  },
}
