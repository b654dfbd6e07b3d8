import { certificate } from './certificate.ts'
import { education } from './education.ts'
import { experience } from './experience.ts'
import { language } from './language.ts'
import { project } from './project.ts'
import type { Section } from './section.ts'
import { skill } from './skill.ts'

/** Every section, in the order of the navigation. */
export const sections: readonly Section[] = [
  project,
  experience,
  education,
  skill,
  certificate,
  language,
]
