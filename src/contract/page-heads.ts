import { loginTexts, setupTexts } from './access/login.ts'
import { pageAt, pages, pageTitle, type Page, type PagePath } from './pages.ts'
import { fullName, paragraphsOf, type Person } from './person/person.ts'
import { sections } from './sections/index.ts'
import { fill } from './text.ts'
import { texts } from './texts/site.ts'

/** Descriptions of the pages for search engines and shared links; `{name}` and `{title}` are the profile's. */
export const descriptions = {
  about: 'Quién es {name}, {title}.',
  contact: 'Escríbele a {name}, {title}.',
  section: '{section} de {name}, {title}.',
} as const

/** What only the server says of a page; apart from the table, which every visitor loads. */
interface PageHead {
  /** With `{name}` and `{title}` of the person; the profile's first paragraph when there is none. */
  readonly description?: string
  /** Whether search engines should list it: forms and the owner's pages are not for them. */
  readonly indexed?: true
  /** Its own inline style sheet, a file of `src/client/styles`. */
  readonly sheet?: string
}

export const contactSheet = 'contact'

const heads: Readonly<Record<PagePath, PageHead>> = {
  '/': { indexed: true, sheet: 'home' },
  '/about': { description: descriptions.about, indexed: true, sheet: 'about' },
  '/contact': { description: descriptions.contact, indexed: true, sheet: contactSheet },
  '/cv': { description: descriptions.about, sheet: 'cv' },
  '/card': { description: descriptions.about, sheet: 'card' },
  '/login': { description: loginTexts.lead, sheet: 'login' },
  '/configurar': { description: setupTexts.lead, sheet: 'login' },
  '/settings': {},
  '/traer': {},
  '/inbox': {},
}

const ofSections = Object.fromEntries(
  sections.map(({ path, title, display }): [string, PageHead] => {
    const description = fill(descriptions.section, { section: title })
    const sheet = `list-${display.kind === 'card' ? display.layout : display.kind}`
    return [path, { description, indexed: true, sheet }]
  }),
)
const byPath: Readonly<Record<string, PageHead>> = { ...heads, ...ofSections }

/** Empty for the owner's pages. */
export const headOfPage = ({ path }: Page): PageHead => byPath[path] ?? {}

export const missingSheet = 'not-found'

export const pageSheets = new Set([
  ...pages.flatMap((page) => headOfPage(page).sheet ?? []),
  missingSheet,
])

/** What the document's head says of one address. */
export interface PageMeta {
  /** The HTTP status of the page: 404 for an address the product does not have. */
  readonly status: 200 | 404
  readonly title: string
  readonly description: string
  readonly indexed: boolean
}

/** Takes a decoded path without its query; one that is no page of the product has the head of the missing page. */
export function pageMeta(pathname: string, person: Person): PageMeta {
  const page = pageAt(pathname)
  const { description, indexed = false } = page ? headOfPage(page) : notFound
  const lead = paragraphsOf(person.fields['description'] ?? '')[0] ?? descriptions.about
  const words = { name: fullName(person), title: person.fields['title'] ?? '' }
  return {
    status: page ? 200 : 404,
    title: pageTitle(pathname, person),
    description: fill(description ?? lead, words),
    indexed,
  }
}

const notFound: PageHead = { description: texts.notFoundHint }
