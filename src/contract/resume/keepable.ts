import { isObject } from '../json.ts'
import { partsOf, type KeptItem } from './kept.ts'
import { readResume, type Resume } from './resume.ts'

/** A résumé of which all can be kept. */
export interface Keepable {
  readonly resume: Resume
  /** Its picture had to be left out. */
  readonly isPictureLeft: boolean
}

/**
 * The résumé as far as it can be kept: what has no place on the site travels in calls of a bounded size. A picture that is written
 * into the file is larger than those, and nothing else is lost for it; undefined where anything else is too large.
 */
export function keepable(resume: Resume): Keepable | undefined {
  if (canBeKept(resume)) return { resume, isPictureLeft: false }
  const rest = withoutPicture(resume)
  return canBeKept(rest) ? { resume: rest, isPictureLeft: true } : undefined
}

function withoutPicture(resume: Resume): Resume {
  const { basics } = resume
  if (!isObject(basics)) return resume
  const { image: _, ...others } = basics
  return { ...resume, basics: others }
}

/** Whether it can be kept whatever she decides: each of its items with the ids of all that may be made of it. */
function canBeKept(resume: Resume): boolean {
  const { rest, items } = readResume(resume)
  const kept = items.map(({ member, item, entries }): KeptItem => ({
    member,
    item,
    ids: entries.map(() => '0'.repeat(36)),
    isWaiting: true,
  }))
  return partsOf({ rest, items: kept }) !== undefined
}
