import type { SiteData } from '../api.ts'
import type { FieldValues } from '../fields.ts'
import { isObject, type JsonObject } from '../json.ts'
import { sections } from '../sections/index.ts'
import type { Entry, Section } from '../sections/section.ts'
import { inOrder, settingsOf } from '../settings/settings.ts'
import { readBasics, writeBasics, type Basics } from './basics.ts'
import { importsOf, type KeptItem, type KeptResume } from './kept.ts'
import { members, type Member } from './members.ts'

/** A résumé in the format of JSON Resume 1.3.1: nothing is required, and what is unknown is allowed. */
export type Resume = JsonObject

/** One item of a résumé as the site would have it. */
export interface FoundItem {
  readonly member: string
  readonly section: Section
  readonly item: unknown
  /** One entry's fields, or several'; none where nothing can be made of it. */
  readonly entries: readonly FieldValues[]
}

export interface ReadResume extends Basics {
  readonly items: readonly FoundItem[]
  /** Everything but the items. */
  readonly rest: Resume
}

export const resumePath = '/resume.json'

const schema = 'https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json'

/** Deeper than any: what a site keeps of one has further brackets around it. */
export const deepestResume = 48

/** Every list of the format and `basics`; the site has a place for some of them only. */
const knownMembers = [
  ...members.map(({ name }) => name),
  'basics',
  'volunteer',
  'awards',
  'publications',
  'interests',
  'references',
]

/** Whether a file's JSON is a résumé: it has at least one thing that the format knows. */
export function isResume(value: unknown): value is Resume {
  return isObject(value) && knownMembers.some((name) => name in value)
}

/** What the résumé says, in the site's terms; whatever it holds is kept in the answer. */
export function readResume(resume: Resume): ReadResume {
  const rest = new Map(Object.entries(resume))
  const items: FoundItem[] = []
  for (const { name, section, read } of members) {
    const list = resume[name]
    if (!Array.isArray(list) || list.length === 0) continue
    rest.delete(name)
    for (const item of list) items.push({ member: name, section, item, entries: read(item) })
  }
  return { ...readBasics(resume['basics']), items, rest: Object.fromEntries(rest) }
}

interface ResumeOptions {
  /** Scheme and host of the site, without a final slash. */
  readonly publicUrl: string
  /** What imports kept, for the owner alone: the site does not show it. */
  readonly kept?: readonly KeptResume[]
}

/** With `kept`, what imports brought comes back as it was, save where the site says something else by now. */
export function resumeOf(site: SiteData, { publicUrl, kept = [] }: ResumeOptions): Resume {
  const { rest, items } = merged(importsOf(kept).map(withItems))
  const own = { $schema: schema, basics: { url: `${publicUrl}/` } }
  const start: Resume = kept.length > 0 ? rest : own
  const before = isObject(start['basics']) ? start['basics'] : {}
  const basics = { ...writeBasics(before, site), ...imageOf(site, publicUrl) }
  const ordered = inOrder(sections, settingsOf(site.settings))
  const shown = ordered.flatMap((section) => members.filter((member) => member.section === section))
  const lists = shown.flatMap((member) => {
    const list = listOf(member, site.entries[member.section.key] ?? [], items)
    return list.length > 0 ? [[member.name, list] as const] : []
  })
  const hasBasics = Object.keys(basics).length > 0 || 'basics' in start
  return {
    ...start,
    ...(hasBasics && !isForeign(start['basics']) && { basics }),
    ...Object.fromEntries(lists),
  }
}

/** What is there and is no object stays as it came. */
const isForeign = (basics: unknown) => basics !== undefined && !isObject(basics)

function imageOf({ person }: SiteData, publicUrl: string): Resume {
  const image = person.fields['image'] ?? ''
  if (image === '') return {}
  return { image: /^\/[^/]/.test(image) ? `${publicUrl}${image}` : image }
}

/** An item with the place among the section's entries that it belongs to. */
interface Placed {
  readonly item: unknown
  readonly place: number
}

/** The list of one section: kept items saying what their entries say, and items for the other entries, in the order the site shows. */
function listOf(
  member: Member,
  entries: readonly Entry[],
  kept: readonly KeptItem[],
): readonly unknown[] {
  const shown = member.section.order === 'newest-first' ? entries.toReversed() : entries
  const places = new Map(shown.map(({ id }, place) => [id, place]))
  const entryOf = (id: string) => shown[places.get(id) ?? -1]
  const placeOf = ({ id }: Entry) => places.get(id) ?? shown.length
  const said = new Set<string>()
  const placed: Placed[] = []
  let last = -1
  for (const { item, ids, isWaiting } of kept.filter((one) => one.member === member.name)) {
    const own = ids.map((id) => (id === null ? null : entryOf(id)))
    const left = own.filter((entry) => !!entry).toSorted((a, b) => placeOf(a) - placeOf(b))
    const isAlone = ids.length === 0 || (isWaiting && left.length === 0)
    const written = isAlone ? item : isObject(item) ? member.write(item, own, placeOf) : undefined
    // One that she has put into another group by now says nothing of where this one stands.
    const first =
      written === undefined ? left[0] : left.find((entry) => member.says(written, entry))
    // What belongs to no entry, or to one that an item before it is about, stays behind what it stood behind.
    if (first && !said.has(first.id)) last = places.get(first.id) ?? last
    if (written === undefined) continue
    placed.push({ item: written, place: last })
    for (const entry of own) if (entry && member.says(written, entry)) said.add(entry.id)
  }
  const fresh = runsOf(shown, said).flatMap((run) =>
    member
      .make(run)
      .map((item, i) => ({ item, place: places.get(run[i]?.id ?? '') ?? shown.length })),
  )
  return [...placed, ...fresh].toSorted((a, b) => a.place - b.place).map(({ item }) => item)
}

/** The entries that no item says, those that follow each other together. */
function runsOf(shown: readonly Entry[], said: ReadonlySet<string>): readonly (readonly Entry[])[] {
  const runs: Entry[][] = []
  let follows = false
  for (const entry of shown) {
    const isOwn = !said.has(entry.id)
    if (isOwn && follows) runs.at(-1)?.push(entry)
    else if (isOwn) runs.push([entry])
    follows = isOwn
  }
  return runs
}

/** What was kept when a list had no section yet: its items stand among the others, by themselves. */
function withItems({ rest, items }: KeptResume): KeptResume {
  const later = new Map(Object.entries(rest))
  const moved = members.flatMap(({ name: member }) => {
    const list = later.get(member)
    if (!Array.isArray(list) || list.length === 0) return []
    later.delete(member)
    return list.map((item: unknown): KeptItem => ({ member, item, ids: [] }))
  })
  return { rest: Object.fromEntries(later), items: [...moved, ...items] }
}

/** Everything that several imports kept; what a later one says of the same counts. */
function merged(kept: readonly KeptResume[]): KeptResume {
  return kept.reduce<KeptResume>(
    (all, one) => ({
      rest: mergedRest(all.rest, one.rest),
      items: [...withoutIds(all.items, one.items), ...one.items],
    }),
    { rest: {}, items: [] },
  )
}

function mergedRest(earlier: Resume, later: Resume): Resume {
  const names = new Set([...Object.keys(earlier), ...Object.keys(later)])
  return Object.fromEntries(
    [...names].map((name) => {
      // Every object has some names that it does not hold, such as «constructor».
      const [before, after] = [earlier, later].map((rest) =>
        Object.hasOwn(rest, name) ? rest[name] : undefined,
      )
      if (!Object.hasOwn(later, name)) return [name, before]
      if (Array.isArray(before) && Array.isArray(after)) return [name, united(before, after)]
      return [name, isObject(before) && isObject(after) ? { ...before, ...after } : after]
    }),
  )
}

function united(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  const said = new Set(before.map((one) => JSON.stringify(one)))
  return [...before, ...after.filter((one) => !said.has(JSON.stringify(one)))]
}

/** The items without those that later ones take the place of. */
function withoutIds(items: readonly KeptItem[], later: readonly KeptItem[]): readonly KeptItem[] {
  const again = new Set(later.flatMap(({ ids }) => ids))
  const said = new Set(later.map(({ item }) => JSON.stringify(item)))
  return items.flatMap((one) => {
    const isAlone = one.ids.length === 0 || one.isWaiting
    if (isAlone && said.has(JSON.stringify(one.item))) return []
    if (one.ids.length === 0) return [one]
    const ids = one.ids.map((id) => (id !== null && again.has(id) ? null : id))
    return ids.every((id) => id === null) && one.ids.some((id) => id !== null)
      ? []
      : [{ ...one, ids }]
  })
}
