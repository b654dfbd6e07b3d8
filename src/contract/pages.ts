import { listAt } from './entries/list-pages.ts'
import { fullName, personForms, type Person } from './person/person.ts'
import type { FieldValues } from './fields.ts'
import { sections } from './sections/index.ts'
import type { Section } from './sections/section.ts'
import { setupPath } from './access/session.ts'
import { fill } from './text.ts'
import { texts } from './texts/site.ts'
import type { FieldErrors } from './validate.ts'

/** One page of the product, or one pattern of pages. What serves, lists, names and draws pages reads it here. */
export interface Page {
  /** `$id` matches one path segment. */
  readonly path: string
  readonly title: string
  /**
   * `form`: drawn by the server like the others, but of no use without the application, which starts as soon as it is
   * painted. `owner`: drawn by her browser alone.
   */
  readonly kind?: 'form' | 'owner'
  /** The page that shows what a form changes, which the navigation marks meanwhile. */
  readonly backPath?: string
  /** The symbol beside its name in the navigation, where it stands in the table's order. */
  readonly icon?: string
  /** Which entries it shows of every section: the newest, or those that fit the CV. A section's own page shows that section's. */
  readonly entries?: 'latest' | 'cv'
}

/** A form that came without the application: the contact form, drawn again with what was typed, or the login, with nothing. */
export interface PostedForm {
  readonly values: FieldValues
  readonly errors: FieldErrors
  readonly outcome: 'sent' | 'failed' | 'invalid'
  /** The sentence the person reads; for `failed`, the reason when there is one. */
  readonly notice: string
}

/** The key under which a page that shows the site's address carries it in its state. */
export const siteAddressKey = ['address'] as const

/** The id of the bar on top of a page, which the first paint waits for. */
export const headerId = 'cabecera'

export const beforeSections = [
  { path: '/', title: texts.home, icon: 'home', entries: 'latest' },
  { path: '/about', title: texts.about, icon: 'user' },
] as const satisfies readonly Page[]

export const afterSections = [
  { path: '/contact', title: texts.contact, icon: 'mail' },
  { path: '/cv', title: texts.cv, entries: 'cv' },
  { path: '/card', title: texts.card },
  { path: '/login', title: texts.login, kind: 'form' },
  { path: setupPath, title: texts.setup, kind: 'form' },
  { path: '/settings', title: texts.settings, kind: 'owner' },
  { path: '/traer', title: texts.import, kind: 'owner' },
  { path: '/inbox', title: texts.inbox, kind: 'owner' },
] as const satisfies readonly Page[]

/** The pages that follow neither from a section nor from the profile: each has its screen in the routes and its head. */
export type PagePath = (typeof beforeSections | typeof afterSections)[number]['path']

/** Every page of the product, in the order of the navigation. */
export const pages: readonly Page[] = [
  ...beforeSections,
  ...sections,
  ...afterSections,
  ...[
    ...sections.flatMap(({ path: backPath, addPath, editPath, words }) => [
      { path: addPath, title: words.add, backPath },
      { path: editPath, title: words.edit, backPath },
    ]),
    ...Object.values(personForms),
  ].map((page) => ({ ...page, kind: 'owner' as const })),
]

/**
 * The page that lies at an address, found by its path or pattern; any page of a list counts, and a slash at the end changes
 * nothing.
 */
export function pageAt(pathname: string): Page | undefined {
  const path = pathname === '/' ? '/' : pathname.replace(/\/$/, '')
  const list = listAt(path)
  if (list) return list.page === 0 ? undefined : list.section
  return pages.find((page) => matches(page.path, path))
}

/** Which of a section's entries a page is drawn from: of its list those of the page with this number. */
export type ShownEntries = 'none' | 'latest' | 'cv' | 'all' | number

/** `none` also for the other sections on a list's page, and for an address that is no page of the product. */
export function entriesShown(path: string, section: Section): ShownEntries {
  const list = listAt(path)
  return list?.section.key === section.key ? list.page : (pageAt(path)?.entries ?? 'none')
}

/** The title of the page at an address, in the served head and in the tab after a client navigation. */
export function pageTitle(pathname: string, person: Person): string {
  const page = pageAt(pathname)
  const title = page ? titleOfPage(page, listAt(pathname)?.page ?? 1) : texts.notFound
  return `${title} · ${fullName(person)}`
}

/** Only from the second page on the number is in the title. */
export const titleOfPage = ({ title }: Pick<Page, 'title'>, page: number): string =>
  page === 1 ? title : fill(texts.titleOfPage, { title, page })

/** Whether a path is an instance of a pattern such as `/editExp/$id`. */
export function matches(pattern: string, path: string): boolean {
  const parts = path.split('/')
  const wanted = pattern.split('/')
  return (
    parts.length === wanted.length &&
    wanted.every((part, i) => (part.startsWith('$') ? parts[i] !== '' : part === parts[i]))
  )
}
