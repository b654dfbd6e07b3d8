import { calls } from '../api.ts'
import { sections } from '../sections/index.ts'

/** The reads that everybody may see: the only answers of the API that are ever kept on a device. */
export const publicKinds: readonly string[] = [
  ...sections.map(({ key }) => key),
  calls.person,
  calls.config,
]
