import type { SiteData } from '#contract/api.ts'
import { imageFieldOf, type FieldValues } from '#contract/fields.ts'
import { pictureVariants } from '#contract/images/picture-widths.ts'
import { personFields } from '#contract/person/person.ts'
import { sections } from '#contract/sections/index.ts'
import { fill, locale } from '#contract/text.ts'
import { copyLacksTexts as said } from '#contract/texts/copy-lacks.ts'
import { visitorsSite } from '../pages/hidden.ts'
import type { SiteCopy } from './site-copy.ts'

/** How many pictures a notice names; the file in the copy names all. */
const mostInNotice = 5

/** What a copy has to do without, in sentences for its owner: short for a notice, whole for a file. Undefined where it lacks nothing. */
export function copyLacks(
  data: SiteData,
  { missing, unread, cvFailure }: Pick<SiteCopy, 'missing' | 'unread' | 'cvFailure'>,
): { readonly notice: string; readonly text: string } | undefined {
  const addresses = unread.map(({ address }) => address)
  const lacking = [
    { names: whosePictures(data, missing), words: missingWords },
    { names: whosePictures(data, addresses), words: unreadWords },
  ]
  const cv = cvFailure === undefined ? [] : [said.cv]
  const told = (most: number) => [
    ...lacking.flatMap(({ names, words }) => pictureWords(names, words, most)),
    ...cv,
  ]
  const text = told(Infinity)
  if (text.length === 0) return undefined
  return { notice: told(mostInNotice).join(' '), text: [...text, ''].join('\n') }
}

interface Words {
  readonly one: string
  readonly many: string
  readonly advice: string
}

const missingWords: Words = { one: said.pictureOne, many: said.pictureMany, advice: said.advice }
const unreadWords: Words = {
  one: said.unreadOne,
  many: said.unreadMany,
  advice: said.unreadAdvice,
}

function pictureWords(
  names: readonly string[],
  { one, many, advice }: Words,
  most: number,
): readonly string[] {
  const n = names.length
  if (n === 0) return []
  const further = n > most ? [fill(said.further, { n: n - most })] : []
  const listed = new Intl.ListFormat(locale).format([...names.slice(0, most), ...further])
  return [fill(n === 1 ? one : many, { n, names: listed }), advice]
}

/** Names for people of what the pictures at these addresses belong to; the address itself where it belongs to nothing. */
function whosePictures(data: SiteData, missing: readonly string[]): readonly string[] {
  if (missing.length === 0) return []
  const { person, entries } = visitorsSite(data)
  const shown = [
    { name: said.portrait, files: filesIn(person.fields, imageFieldOf(personFields)) },
    ...sections.flatMap(({ key, title: section, fields, display: { title } }) =>
      (entries[key] ?? []).map((entry) => ({
        name: fill(said.pictureOf, { title: entry.fields[title] ?? '', section }),
        files: filesIn(entry.fields, imageFieldOf(fields)),
      })),
    ),
  ]
  const known = new Set(shown.flatMap(({ files }) => files))
  return [
    ...shown.filter(({ files }) => files.some((file) => missing.includes(file))),
    ...missing.filter((address) => !known.has(address)).map((name) => ({ name })),
  ].map(({ name }) => name)
}

/** Every width of the picture in the field. */
function filesIn(fields: FieldValues, field = ''): readonly string[] {
  const address = fields[field] ?? ''
  return [address, ...pictureVariants(address)]
}
