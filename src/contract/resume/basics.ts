import type { SiteData } from '../api.ts'
import type { FieldValues, Fields } from '../fields.ts'
import { paragraph, text } from '../fields.ts'
import { isObject, type JsonObject } from '../json.ts'
import { personFields } from '../person/person.ts'
import { linesOf } from '../settings/profiles.ts'
import { maxAddresses, parseSetting } from '../settings/kinds.ts'
import { defaultSettings } from '../settings/defaults.ts'
import type { SettingKey } from '../settings/settings.ts'
import { checkPatch } from '../validate.ts'
import {
  hostOf,
  webAddressOf,
  ownText,
  readItem,
  textAt,
  writeItem,
  type Lens,
  type Lenses,
} from './item-lens.ts'

/** The settings that a résumé tells. */
const toldSettings = [
  'email',
  'location_text',
  'linkedin_url',
  'github_url',
  'profile_urls',
  'age_text',
  'availability_text',
] as const satisfies readonly SettingKey[]
type ToldSetting = (typeof toldSettings)[number]

/** What a résumé says of the person, as the site's profile and settings have it. */
export interface Basics {
  /** The fields of the profile that it tells. */
  readonly person: FieldValues
  readonly settings: Partial<Readonly<Record<ToldSetting, string>>>
}

// What every reader of the format takes for an e-mail address.
const plainEmail = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i

const city: Lens = {
  get: ({ location }) => (isObject(location) ? textAt('city').get(location) : ''),
  put: (item, value) => {
    const { location, ...rest } = item
    const put = textAt('city').put(isObject(location) ? location : {}, value)
    return Object.keys(put).length > 0 ? { ...rest, location: put } : rest
  },
}

const email: Lens = {
  get: textAt('email').get,
  put: (item, value) => textAt('email').put(item, plainEmail.test(value) ? value : ''),
}

const listOf = ({ profiles }: JsonObject): readonly unknown[] =>
  Array.isArray(profiles) ? profiles : []

const urlOf = textAt('url').get

/** A network that the site has a place of its own for. */
interface Network {
  readonly name: string
  readonly host: string
  /** What stands before a user's name in an address. */
  readonly path: string
}

const linkedIn: Network = { name: 'LinkedIn', host: 'linkedin.com', path: 'in/' }
const gitHub: Network = { name: 'GitHub', host: 'github.com', path: '' }

/** The profile on one network, by the network's name or the address's host. */
function profileOn({ name, host }: Network, item: JsonObject): JsonObject | undefined {
  return listOf(item).find(
    (profile): profile is JsonObject =>
      isObject(profile) &&
      (textAt('network').get(profile).toLowerCase() === name.toLowerCase() ||
        urlOf(profile).includes(`//${host}/`) ||
        urlOf(profile).includes(`//www.${host}/`)),
  )
}

const withProfiles = (item: JsonObject, profiles: readonly unknown[]): JsonObject => {
  const { profiles: _, ...rest } = item
  return profiles.length > 0 ? { ...rest, profiles } : rest
}

function profileLens(network: Network): Lens {
  const { name, host, path } = network
  return {
    get: (item) => {
      const found = profileOn(network, item)
      if (!found) return ''
      const username = textAt('username').get(found)
      return urlOf(found) || (username && `https://${host}/${path}${username}`)
    },
    put: (item, value) => {
      const found = profileOn(network, item)
      const url = webAddressOf(value)
      const { username: _, ...kept } = found ?? { network: name }
      const others = listOf(item).filter((profile) => profile !== found)
      const place = found ? listOf(item).indexOf(found) : others.length
      return withProfiles(
        item,
        url === undefined ? others : others.toSpliced(place, 0, { ...kept, url }),
      )
    },
  }
}

/** The profiles on other networks that the site can lead to, by their addresses. */
function furtherProfiles(item: JsonObject): ReadonlyMap<string, readonly JsonObject[]> {
  const known = new Set<unknown>([profileOn(linkedIn, item), profileOn(gitHub, item)])
  const others = listOf(item).filter(
    (profile): profile is JsonObject =>
      isObject(profile) && !known.has(profile) && webAddressOf(urlOf(profile)) !== undefined,
  )
  return new Map([...Map.groupBy(others, urlOf)].slice(0, maxAddresses))
}

const further: Lens = {
  get: (item) => [...furtherProfiles(item).keys()].join('\n'),
  put: (item, value) => {
    const before = furtherProfiles(item)
    const replaced = new Set<unknown>([...before.values()].flat())
    const others = listOf(item).filter((profile) => !replaced.has(profile))
    const own = linesOf(value).flatMap((line) => {
      const url = webAddressOf(line)
      return before.get(line) ?? (url === undefined ? [] : [{ network: hostOf(url), url }])
    })
    return withProfiles(item, [...others, ...own])
  },
}

const words = (name: unknown): readonly string[] =>
  typeof name === 'string' ? name.split(/\s+/).filter(Boolean) : []

const lenses: Lenses = {
  // Divided and joined again it has single spaces.
  fullName: { ...textAt('name'), get: ({ name }) => words(name).join(' ') },
  title: textAt('label'),
  description: textAt('summary'),
  email,
  location_text: city,
  linkedin_url: profileLens(linkedIn),
  github_url: profileLens(gitHub),
  profile_urls: further,
  age_text: ownText,
  availability_text: ownText,
  // How the name is divided, where it is not the usual way.
  surname: ownText,
}

const fields: Fields = {
  fullName: text(''),
  title: personFields.title,
  description: personFields.description,
  surname: text(''),
  ...Object.fromEntries(toldSettings.map((key) => [key, paragraph('')])),
}

/** The name divided: of three words or more the last two are the surname, as is usual in Spanish. */
function dividedName(fullName: string, surname = ''): FieldValues {
  if (surname !== '' && fullName.endsWith(surname)) {
    return { name: fullName.slice(0, -surname.length).trim(), lastname: surname }
  }
  const all = words(fullName)
  const given = all.length > 2 ? all.length - 2 : Math.min(all.length, 1)
  return { name: all.slice(0, given).join(' '), lastname: all.slice(given).join(' ') }
}

/** What the résumé's first part says that the site can hold. */
export function readBasics(basics: unknown): Basics {
  const said = saidBy(isObject(basics) ? basics : {})
  const { fullName = '', surname = '', title = '', description = '' } = said
  const person = { ...dividedName(fullName, surname), title, description }
  const settings: Partial<Record<ToldSetting, string>> = {}
  for (const key of toldSettings) if (said[key]) settings[key] = said[key]
  return { person: filled(person), settings }
}

/** The résumé's first part with what the site says written into it; all else in it stays as it is. */
export function writeBasics(basics: JsonObject, { person, settings }: SiteData): JsonObject {
  const { name = '', lastname = '', title = '', description = '' } = person.fields
  const fullName = [name, lastname].filter(Boolean).join(' ')
  const surname = readItem(fields, lenses, basics)['surname'] ?? ''
  const isDivided = (by: string) => dividedName(fullName, by)['lastname'] === lastname
  const values: FieldValues = {
    fullName,
    title,
    description,
    surname: [surname, ''].find(isDivided) ?? lastname,
    ...Object.fromEntries(toldSettings.map((key) => [key, toldValue(settings, key)])),
  }
  // The site never had what it refuses, so saying nothing is no change of it.
  const untold = Object.entries(refusedOf(basics)).filter(([key]) => !values[key])
  return writeItem(fields, lenses, {
    item: basics,
    values: { ...values, ...Object.fromEntries(untold) },
  })
}

/** The value of a setting; what nobody has set tells nothing. */
function toldValue(settings: SiteData['settings'], key: ToldSetting): string {
  const value = settings[key] ?? ''
  return value === defaultSettings[key] ? '' : value
}

/** What is said, without what the site refuses. */
function saidBy(basics: JsonObject): FieldValues {
  const refused = refusedOf(basics)
  const said = readItem(fields, lenses, basics)
  return Object.fromEntries(
    Object.entries(said).map(([name, value]) => [name, name in refused ? '' : value]),
  )
}

/** What is said and the site refuses: too long, no address. */
function refusedOf(basics: JsonObject): FieldValues {
  const said = readItem(fields, lenses, basics)
  const isRefused = ([name, value]: readonly [string, string]) => {
    if (value === '') return false
    const key = toldSettings.find((known) => known === name)
    if (key) return parseSetting(key, value) !== value || value === defaultSettings[key]
    return !checkPatch(fields, { [name]: value }).ok
  }
  return Object.fromEntries(Object.entries(said).filter(isRefused))
}

/** The fields that say something. */
function filled(values: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}
