import { imageFieldOf, type FieldValues, type Field, type Fields } from '../fields.ts'
import { personFields, type Person } from '../person/person.ts'
import type { FoundItem, ReadResume } from './resume.ts'
import type { Entry, Section } from '../sections/section.ts'
import { settingWords } from '../texts/setting-words.ts'
import type { SettingKey, SettingValues } from '../settings/settings.ts'
import { cleanText, lengthOf } from '../text.ts'
import { limitOf, type FormMode } from '../validate.ts'

export type Choice = 'add' | 'combine' | 'leave'

/** An entry as it stands before her. */
type KnownEntry = Entry & {
  /** The queued changes that are in its fields, by id. */
  readonly seen?: readonly string[]
}

/** A field that the site and the file say differently. */
export interface Difference {
  readonly name: string
  readonly label: string
  readonly here: string
  readonly there: string
}

/** A text over its limit. */
interface Excess {
  readonly name: string
  readonly length: number
  readonly limit: number
}

/** One thing that a file has for the site. */
export interface Proposal {
  readonly key: string
  /** Absent for the profile. */
  readonly section?: Section
  /** The item of the file that it is from, and its place among what the item says. */
  readonly item: number
  readonly place: number
  readonly values: FieldValues
  /** The entry of the site that says the same, wholly or in part. */
  readonly known?: KnownEntry | undefined
  readonly differences: readonly Difference[]
  readonly excess: readonly Excess[]
  /** No entry can be made of it as it is. */
  readonly isDraft: boolean
  /** It waits in its form already, since it was brought in before. */
  readonly isWaiting: boolean
  readonly preset: Choice
}

/** What the site shows, with what is queued. */
export interface Shown {
  readonly person: Person
  readonly settings: SettingValues
  entries(section: Section): readonly KnownEntry[]
  readonly before?: BroughtBefore
}

/** What earlier imports left of a section. */
export interface BroughtBefore {
  /** The texts that wait in the forms of its new entries. */
  drafts(section: Section): readonly FieldValues[]
  /** The entries as they were made: she may call them something else by now. */
  made(section: Section): readonly { readonly id: string; readonly fields: FieldValues }[]
}

/** What the file has for the site, in the site's order: the profile, then section by section as they are listed. */
export function proposalsOf(read: ReadResume, shown: Shown): readonly Proposal[] {
  const told = new Set<string>()
  const looks = new Map<Section, Look>()
  const lookOf = (section: Section): Look => {
    const look = looks.get(section) ?? lookAt(section, shown)
    looks.set(section, look)
    return look
  }
  const items = read.items.flatMap((found, item) =>
    found.entries.flatMap((values, place) => {
      // What says nothing the site could show, and what the file says twice.
      const identity = identityOf(found, values)
      if (isEmpty(values) || told.has(identity)) return []
      told.add(identity)
      const look = lookOf(found.section)
      const known = knownAs(found.section, values, look)
      if (known) look.taken.add(known.id)
      return [proposalOf({ found, item, place, values, known, look })]
    }),
  )
  return [...profileOf(read, shown), ...items]
}

/** Whether they say nothing that the site could show. */
export function isEmpty(values: FieldValues): boolean {
  return Object.values(values).every((value) => value === '')
}

/** What makes two of a file's the same: for a group's keywords their name alone. */
export function identityOf({ section, entries }: FoundItem, values: FieldValues): string {
  const isKeyword = entries.length > 1 || 'group' in values
  return JSON.stringify([section.key, isKeyword ? folded(values['name'] ?? '') : values])
}

interface Place {
  readonly found: FoundItem
  readonly item: number
  readonly place: number
  readonly values: FieldValues
  readonly known: KnownEntry | undefined
  readonly look: Look
}

function proposalOf({ found, item, place, values, known, look }: Place): Proposal {
  const { section } = found
  const differences = known ? differencesOf(section.fields, known.fields, values) : []
  const excess = excessOf(section.fields, values, known ? 'update' : 'create')
  // A new name may be shorter than one that is there, and beside the known one it would be new.
  const isDraft =
    excessOf(section.fields, values, 'create').length > 0 || !values[section.display.title]
  const isEqual = known !== undefined && differences.length === 0
  const isWaiting = isDraft && !known && look.waiting.has(sayingOf(values))
  return {
    key: `${section.key}-${item}-${place}`,
    section,
    item,
    place,
    values,
    known,
    differences,
    excess,
    isDraft,
    isWaiting,
    preset: isEqual || isWaiting ? 'leave' : known ? 'combine' : 'add',
  }
}

/** Whether texts of a form say the same; what is missing is empty. */
export function areSameTexts(here: FieldValues, there: FieldValues): boolean {
  return sayingOf(here) === sayingOf(there)
}

/** What texts of a form say, in one text that the same ones have. */
function sayingOf(values: FieldValues): string {
  const said = Object.entries(values).map(([name, value]) => [name, cleanText(value)] as const)
  return JSON.stringify(
    said.filter(([, value]) => value !== '').toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** What a section has, made ready to be found: each item of a file looks for its own. */
interface Look {
  /** The entries by their names. */
  readonly named: ReadonlyMap<string, readonly KnownEntry[]>
  /** The entries by what they were made of. */
  readonly made: ReadonlyMap<string, readonly KnownEntry[]>
  /** What waits in the forms of its new entries. */
  readonly waiting: ReadonlySet<string>
  /** The ids of those that an item has found. */
  readonly taken: Set<string>
}

function lookAt(section: Section, shown: Shown): Look {
  const { title } = section.display
  const entries = shown.entries(section)
  const sayings = Map.groupBy(shown.before?.made(section) ?? [], ({ id }) => id)
  const made = entries.flatMap((entry) =>
    (sayings.get(entry.id) ?? []).map(({ fields }) => ({ entry, saying: sayingOf(fields) })),
  )
  return {
    named: Map.groupBy(entries, ({ fields }) => folded(fields[title] ?? '')),
    made: new Map(
      [...Map.groupBy(made, ({ saying }) => saying)].map(([saying, own]) => [
        saying,
        own.map(({ entry }) => entry),
      ]),
    ),
    waiting: new Set((shown.before?.drafts(section) ?? []).map(sayingOf)),
    taken: new Set(),
  }
}

/** The site's entry that was made of the same; or the one of its name, unless it is about something else in what few entries have. */
function knownAs(
  section: Section,
  values: FieldValues,
  { named: byName, made, taken }: Look,
): KnownEntry | undefined {
  const isLeft = ({ id }: KnownEntry) => !taken.has(id)
  const again = made.get(sayingOf(values))?.find(isLeft)
  if (again) return again
  const rare = Object.keys(section.fields).filter((name) => section.fields[name]?.isMore)
  const isOther = ({ fields }: KnownEntry) =>
    rare.some((name) => {
      const [here, there] = [folded(fields[name] ?? ''), folded(values[name] ?? '')]
      return here !== '' && there !== '' && here !== there
    })
  const named = (byName.get(folded(values[section.display.title] ?? '')) ?? []).filter(
    (entry) => isLeft(entry) && (section.display.kind === 'icon' || !isOther(entry)),
  )
  const alike = ({ fields }: KnownEntry) =>
    Object.entries(values).filter(([name, value]) => fields[name] === value).length
  return named.toSorted((a, b) => alike(b) - alike(a))[0]
}

/** A name without what people write now one way, now another: accents, but no other mark, and punctuation, but no symbol. */
function folded(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})[\u0300\u0301\u0302\u0308]/gu, '')
    .toLowerCase()
    .replace(/(?!#)[\p{P}\p{Z}\p{C}]+/gu, ' ')
    .trim()
  return plain || name
}

function differencesOf(
  fields: Fields,
  here: FieldValues,
  there: FieldValues,
): readonly Difference[] {
  const image = imageFieldOf(fields)
  return Object.entries(fields).flatMap(([name, { label }]) => {
    const [own = '', other = ''] = [here[name], there[name]]
    if (name === image || other === '' || own === other) return []
    return [{ name, label: label.replace(/:$/, ''), here: own, there: other }]
  })
}

function excessOf(fields: Fields, values: FieldValues, mode: FormMode): readonly Excess[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field: Field | undefined = fields[name]
    const limit = field ? limitOf(field, mode) : Infinity
    const length = lengthOf(value)
    return length > limit ? [{ name, length, limit }] : []
  })
}

/** The profile's texts and settings as one proposal: they are one person. */
function profileOf({ person, settings }: ReadResume, shown: Shown): readonly Proposal[] {
  const words = Object.entries(settings).map(
    ([key, value]) => [key, { ...settingWords[key as SettingKey], value }] as const,
  )
  const fields: Readonly<Record<string, { readonly label: string }>> = {
    ...personFields,
    ...Object.fromEntries(words),
  }
  const values: FieldValues = { ...person, ...settings }
  const here: FieldValues = { ...shown.person.fields, ...shown.settings }
  const differences = Object.entries(values).flatMap(([name, there]) => {
    const own = here[name] ?? ''
    const label = (fields[name]?.label ?? name).replace(/:$/, '')
    return own === there || there === '' ? [] : [{ name, label, here: own, there }]
  })
  if (Object.keys(values).length === 0) return []
  const isNew = differences.every(({ here: own }) => own === '')
  const preset = differences.length === 0 ? 'leave' : isNew ? 'add' : 'combine'
  return [
    {
      key: 'profile',
      item: -1,
      place: 0,
      values,
      differences,
      excess: [],
      isDraft: false,
      isWaiting: false,
      preset,
    },
  ]
}

/** In the order in which the owner is offered them. */
export function choicesOf({ section, known, preset, differences }: Proposal): readonly Choice[] {
  if (!section) {
    return preset === 'add' || differences.length === 0 ? ['add', 'leave'] : ['combine', 'leave']
  }
  return known ? ['combine', 'add', 'leave'] : ['add', 'leave']
}

/** Which side each differing field takes: hers, unless she has nothing there and the file's fits. */
export function presetSides({
  differences,
  excess,
}: Proposal): Readonly<Record<string, 'here' | 'there'>> {
  const isOver = (name: string) => excess.some((one) => one.name === name)
  return Object.fromEntries(
    differences.map(({ name, here }) => [name, here === '' && !isOver(name) ? 'there' : 'here']),
  )
}
