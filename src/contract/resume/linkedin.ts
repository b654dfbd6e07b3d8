import type { JsonObject } from '../json.ts'
import { hostOf, webAddressOf } from './item-lens.ts'
import { isOngoing, parseDate, spanText, type Span } from './resume-dates.ts'
import type { Resume } from './resume.ts'

/** One line of a table, by the lower-case names of its columns. */
export type CsvRow = Readonly<Record<string, string>>

/** The files of LinkedIn's copy that a résumé is made of, in the order in which they are read, with a column that each has. */
export const linkedInFiles = [
  { name: 'profile.csv', column: 'first name' },
  { name: 'positions.csv', column: 'company name' },
  { name: 'education.csv', column: 'school name' },
  { name: 'skills.csv', column: 'name' },
  { name: 'certifications.csv', column: 'name' },
  { name: 'languages.csv', column: 'name' },
  { name: 'projects.csv', column: 'title' },
  { name: 'volunteering.csv', column: 'company name' },
  { name: 'email addresses.csv', column: 'email address' },
  { name: 'phonenumbers.csv', column: 'number' },
] as const
export type LinkedInFile = (typeof linkedInFiles)[number]['name']

type Tables = Readonly<Partial<Record<LinkedInFile, readonly CsvRow[]>>>

/** The tables of LinkedIn's copy as a résumé; what the format has no name for stays with its item. */
export function linkedInResume(tables: Tables): Resume {
  const lines = (name: LinkedInFile) => tables[name] ?? []
  const lists = {
    work: lines('positions.csv').map((line) =>
      item(line, {
        name: line['company name'],
        position: line['title'],
        summary: line['description'],
        location: line['location'],
        ...dates(line['started on'], line['finished on']),
      }),
    ),
    education: lines('education.csv').map((line) =>
      item(line, {
        institution: line['school name'],
        // The school says what it was where nothing else does.
        area: line['degree name'] || line['school name'],
        courses: [line['notes'], line['activities']].filter(Boolean),
        ...dates(line['start date'], line['end date']),
      }),
    ),
    projects: lines('projects.csv').map((line) =>
      item(line, {
        name: line['title'],
        description: line['description'],
        url: line['url'],
        ...dates(line['started on'], line['finished on']),
      }),
    ),
    skills: lines('skills.csv').map((line) => item(line, { name: line['name'] })),
    certificates: lines('certifications.csv').map((line) =>
      item(line, {
        name: line['name'],
        issuer: line['authority'],
        ...date(line['started on']),
        endDate: dateOrWords(line['finished on']),
        url: line['url'],
        license: line['license number'],
      }),
    ),
    languages: lines('languages.csv').map((line) =>
      item(line, { language: line['name'], fluency: fluencyOf(line['proficiency']) }),
    ),
    volunteer: lines('volunteering.csv').map((line) =>
      item(line, {
        organization: line['company name'],
        position: line['role'],
        cause: line['cause'],
        summary: line['description'],
        ...dates(line['started on'], line['finished on']),
      }),
    ),
  }
  const basics = basicsOf(tables)
  return {
    ...(Object.keys(basics).length > 0 && { basics }),
    ...Object.fromEntries(
      Object.entries(lists).flatMap(([name, list]) => {
        const told = unrepeated(list)
        return told.length > 0 ? [[name, told]] : []
      }),
    ),
  }
}

const isPrimary = ({ primary = '' }: CsvRow) => /^(?:yes|s[ií])$/i.test(primary)

/**
 * What is said of her. Left out is what would be published and is not for everybody (address, postal code, date of
 * birth, maiden name, instant messengers), and what only sorts LinkedIn's own lists (industry, kind of telephone).
 */
function basicsOf(tables: Tables): JsonObject {
  const [profile = {}] = tables['profile.csv'] ?? []
  const addresses = tables['email addresses.csv'] ?? []
  const email = (addresses.find(isPrimary) ?? addresses[0])?.['email address']
  const [phone = {}] = tables['phonenumbers.csv'] ?? []
  const extension = phone['extension'] && ` ext. ${phone['extension']}`
  const city = profile['geo location']
  return present({
    name: [profile['first name'], profile['last name']].filter(Boolean).join(' '),
    label: profile['headline'],
    summary: profile['summary'],
    email,
    phone: phone['number'] && `${phone['number']}${extension ?? ''}`,
    location: city && { city },
    profiles: [...websitesOf(profile['websites']), ...twitterOf(profile['twitter handles'])],
    // A name of two words may have its border anywhere.
    'x-tintero': profile['last name'] && { surname: profile['last name'] },
  })
}

/** The parts of a cell that holds several, such as «[PERSONAL:https://uno.example],[otra]» or «[uno,dos]». */
function partsOf(cell = '', between = /,\s*/): readonly string[] {
  // Each looks for its own bracket's end alone: from each letter on, a long cell without one would be read again.
  const bracketed = cell.match(/\[[^[\]]+\]/g)?.map((part) => part.slice(1, -1))
  const parts = bracketed?.flatMap((part) => part.split(between)) ?? cell.split(/[,\s]+/)
  return parts.map((part) => part.trim()).filter(Boolean)
}

// An address may have commas itself: one divides where a kind of page or a scheme stands behind it.
const betweenSites = /,\s*(?=[\p{L}_][\p{L}_ ]{0,40}:)/u

/** Her pages elsewhere, as profiles by their hosts; LinkedIn puts the kind of page before the address. */
function websitesOf(cell: string | undefined): readonly JsonObject[] {
  return partsOf(cell, betweenSites).flatMap((part) => {
    const url = webAddressOf(part.replace(/^[\p{L}_ ]+:(?!\/\/|\d)/u, '').trim())
    return url === undefined ? [] : [{ network: hostOf(url), url }]
  })
}

function twitterOf(cell: string | undefined): readonly JsonObject[] {
  return partsOf(cell).flatMap((part) => {
    const username = part.replace(/^@/, '')
    if (!/^\w+$/.test(username)) return []
    return [{ network: 'Twitter', username, url: `https://x.com/${username}` }]
  })
}

const dateOrWords = (text = '') => (isOngoing(text) ? '' : (parseDate(text) ?? text.trim()))

/** From a start to an end; where one of them is in words that are not known, a missing end would say that it lasts. */
function dates(start?: string, end?: string): JsonObject {
  const span = { start: dateOrWords(start), end: dateOrWords(end) }
  if (isKnown(span.start) && isKnown(span.end)) {
    return { startDate: span.start, endDate: span.end }
  }
  return inWords(span)
}

function date(text?: string): JsonObject {
  const said = dateOrWords(text)
  return isKnown(said) ? { date: said } : inWords({ start: said, end: said })
}

const isKnown = (said: string) => said === '' || parseDate(said) === said

/** The words themselves, which the format has no place for. */
const inWords = (span: Span): JsonObject => ({ 'x-tintero': { duration: spanText(span) } })

/** How well a language is spoken, in the words LinkedIn has for it in Spanish. */
const fluencies: Readonly<Record<string, string>> = {
  'elementary proficiency': 'Básico',
  'limited working proficiency': 'Básico limitado',
  'professional working proficiency': 'Básico profesional',
  'full professional proficiency': 'Profesional',
  'native or bilingual proficiency': 'Nativo o bilingüe',
}

function fluencyOf(proficiency = ''): string {
  return fluencies[proficiency.toLowerCase()] ?? proficiency
}

/** What is said; nothing where nothing is. */
function item(line: CsvRow, said: JsonObject): JsonObject | undefined {
  return Object.values(line).some(Boolean) ? present(said) : undefined
}

const isSaid = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value))

function present(said: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => isSaid(value)))
}

/** Each item once: the copy tells some twice. */
function unrepeated(list: readonly (JsonObject | undefined)[]): readonly JsonObject[] {
  const told = new Map(list.flatMap((one) => (one ? [[JSON.stringify(one), one] as const] : [])))
  return [...told.values()]
}
