import type { FieldValues } from '../fields.ts'
import { isObject, type JsonObject } from '../json.ts'
import { inResume, type Told } from '../sections/in-resume.ts'
import { sections } from '../sections/index.ts'
import type { Entry, Section } from '../sections/section.ts'
import {
  dateAt,
  formerlyAt,
  linkAt,
  ownText,
  readItem,
  spanAt,
  studyContent,
  studyName,
  textAt,
  writeItem,
  type Lens,
  type Lenses,
} from './item-lens.ts'

export interface Member {
  /** Its name in JSON Resume. */
  readonly name: string
  readonly section: Section
  /** What an item says, one entry's fields or several'. */
  read(item: unknown): readonly FieldValues[]
  /**
   * The item saying what its entries say: unchanged where they still say what it says, otherwise only in what differs;
   * undefined once none of them is left. `entries` stand at the places of what `read` finds; null is what was not taken.
   * `placeOf` counts where the site shows an entry.
   */
  write(
    item: JsonObject,
    entries: readonly (Entry | null | undefined)[],
    placeOf: (entry: Entry) => number,
  ): JsonObject | undefined
  /** Whether the written item says all of the entry, so that it needs none of its own. */
  says(item: unknown, entry: Entry): boolean
  /** Items for entries that come from no résumé, in their order. */
  make(entries: readonly Entry[]): readonly JsonObject[]
}

const lensesAt = { text: textAt, link: linkAt, date: dateAt }

function lensOf(told: Told): Lens {
  if ('at' in told) {
    const lens = lensesAt[told.is](told.at)
    return told.before === undefined ? lens : formerlyAt(told.before, lens)
  }
  if (told.is === 'span') return spanAt(told.limit)
  if (told.is === 'study') return studyName
  return told.is === 'courses' ? studyContent : ownText
}

/** A section whose entries are items one by one. */
function single(section: Section, name: string, lenses: Lenses): Member {
  const { fields } = section
  return {
    name,
    section,
    read: (item) => (isObject(item) ? [readItem(fields, lenses, item)] : []),
    write: (item, [entry]) =>
      entry ? writeItem(fields, lenses, { item, values: entry.fields }) : undefined,
    says: () => true,
    make: (entries) =>
      entries.map((entry) => writeItem(fields, lenses, { item: {}, values: entry.fields })),
  }
}

/** A section whose items are groups: their keywords are entries; one without keywords is an entry itself. */
function grouped(section: Section, name: string, { lenses, group }: GroupedBy): Member {
  const { fields } = section
  const nameOf = (item: JsonObject) => readItem(fields, lenses, item)['name'] ?? ''
  const readKeyword = (keyword: unknown) =>
    typeof keyword === 'string' ? nameOf({ name: keyword }) : ''
  const keywordsOf = (item: JsonObject): readonly unknown[] => {
    const keywords: unknown = item[group.keywords]
    return Array.isArray(keywords) ? keywords : []
  }
  const groupOf = ({ fields: values }: Entry) => values[group.field] ?? ''
  const saysSame = (entry: Entry, values: FieldValues | undefined) =>
    nameIn(entry) === values?.['name'] && groupOf(entry) === values[group.field]
  const read = (item: unknown): readonly FieldValues[] => {
    if (!isObject(item)) return []
    const called = nameOf(item)
    const keywords = keywordsOf(item)
    if (keywords.length === 0) return [{ name: called, [group.field]: '' }]
    return keywords.map((keyword) => ({ name: readKeyword(keyword), [group.field]: called }))
  }
  return {
    name,
    section,
    read,
    write: (item, entries, placeOf) => {
      const before = read(item)
      const isSame = before.every((values, i) => {
        const entry = entries[i]
        return entry === null || (entry && saysSame(entry, values))
      })
      const places = entries.flatMap((entry) => (entry ? [placeOf(entry)] : []))
      if (isSame && places.every((place, i) => i === 0 || place > (places[i - 1] ?? 0))) return item
      const keywords = keywordsOf(item)
      if (keywords.length === 0) {
        const [entry] = entries
        return entry && !groupOf(entry) ? { ...item, name: nameIn(entry) } : undefined
      }
      const called = nameOf(item)
      let last = -1
      const left = keywords.flatMap((keyword, i) => {
        const entry = entries[i]
        // What belongs to no entry stays behind what it stood behind.
        if (entry === null) return [{ place: last, keyword }]
        if (!entry || groupOf(entry) !== called) return []
        last = placeOf(entry)
        const isSaid = nameIn(entry) === before[i]?.['name']
        return [{ place: last, keyword: isSaid ? keyword : nameIn(entry) }]
      })
      const inOrder = left.toSorted((a, b) => a.place - b.place).map(({ keyword }) => keyword)
      return inOrder.length > 0 ? { ...item, [group.keywords]: inOrder } : undefined
    },
    says: (item, entry) => read(item).some((values) => saysSame(entry, values)),
    make: (entries) =>
      runsOf(entries, groupOf).map((run) => {
        const called = run[0] ? groupOf(run[0]) : ''
        const names = run.map(nameIn)
        return called === '' ? { name: names[0] } : { name: called, [group.keywords]: names }
      }),
  }
}

interface GroupedBy {
  readonly lenses: Lenses
  readonly group: { readonly field: string; readonly keywords: string }
}

const nameIn = ({ fields }: Entry) => fields['name'] ?? ''

/** Entries of one group that follow each other, together; those without a group one by one. */
function runsOf(
  entries: readonly Entry[],
  groupOf: (entry: Entry) => string,
): readonly (readonly Entry[])[] {
  const runs: Entry[][] = []
  for (const entry of entries) {
    const last = runs.at(-1)
    const group = groupOf(entry)
    if (group !== '' && last?.[0] && groupOf(last[0]) === group) last.push(entry)
    else runs.push([entry])
  }
  return runs
}

/** Every list of a résumé that is a section of the site's, in the order of the site's sections. */
export const members: readonly Member[] = sections.flatMap((section) => {
  const told = inResume[section.key]
  if (!told) return []
  const lenses = Object.fromEntries(
    Object.entries(told.fields).map(([name, field]) => [name, lensOf(field)]),
  )
  const { list, group } = told
  return [group ? grouped(section, list, { lenses, group }) : single(section, list, lenses)]
})
