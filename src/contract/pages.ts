import { fill } from './text.ts'
import { descriptions, texts } from './texts.ts'
import { setupPath } from './session.ts'
import { fullName, paragraphsOf, personForms, type Person } from './person.ts'
import type { Draft } from './fields.ts'
import type { FieldErrors } from './validate.ts'
import { sections } from './sections/index.ts'

/** What the document's head says of one address. */
export interface PageMeta {
  /** The HTTP status of the page: 404 for an address the product does not have. */
  readonly status: 200 | 404
  readonly title: string
  readonly description: string
  /** Whether search engines should list it: the owner's forms and the login are not for them. */
  readonly indexed: boolean
}

/** A contact form that came without JavaScript, drawn again with what was typed. */
export interface PostedForm {
  readonly values: Draft
  readonly errors: FieldErrors
  readonly outcome: 'sent' | 'failed' | 'invalid'
  /** The sentence the person reads; for `failed`, the reason when there is one. */
  readonly notice: string
}

/** The addresses every visitor can open, in the order of the navigation. */
export const publicPaths: readonly string[] = [
  '/',
  '/about',
  ...sections.map(({ path }) => path),
  '/contact',
]

/** The addresses only the owner opens; `$id` matches one path segment. */
export const ownerPaths: readonly string[] = [
  ...sections.flatMap(({ addPath, editPath }) => [addPath, editPath]),
  ...Object.values(personForms).map(({ editPath }) => editPath),
  '/settings',
  '/inbox',
]

/** Title, description and status of the page at a path, for the served head and for the tab after a client navigation. */
export function pageMeta(pathname: string, person: Person): PageMeta {
  const path = pathname === '/' ? '/' : pathname.replace(/\/$/, '')
  const name = fullName(person)
  const title = person.fields['title'] ?? ''
  const page = (heading: string, description: string, indexed = true): PageMeta => ({
    status: 200,
    title: `${heading} · ${name}`,
    description: fill(description, { name, title }),
    indexed,
  })
  const lead = paragraphsOf(person.fields['description'] ?? '')[0] ?? descriptions.about
  if (path === '/') return page(texts.home, lead)
  if (path === '/about') return page(texts.about, descriptions.about)
  if (path === '/contact') return page(texts.contact, descriptions.contact)
  if (path === '/cv') return page(texts.cv, descriptions.about, false)
  if (path === '/login') return page(texts.login, descriptions.login, false)
  if (path === setupPath) return page(texts.setup, descriptions.setup, false)
  const section = sections.find((candidate) => candidate.path === path)
  if (section) {
    return page(section.title, fill(descriptions.section, { section: section.title }))
  }
  const ownerTitle = ownerTitleOf(path)
  if (ownerTitle) return page(ownerTitle, lead, false)
  return { ...page(texts.notFound, texts.notFoundHint, false), status: 404 }
}

function ownerTitleOf(path: string): string | undefined {
  if (path === '/settings') return texts.settings
  if (path === '/inbox') return texts.inbox
  for (const { addPath, editPath, words } of sections) {
    if (path === addPath) return words.add
    if (matches(editPath, path)) return words.edit
  }
  return Object.values(personForms).find(({ editPath }) => matches(editPath, path))?.title
}

/** Whether a path is an instance of a pattern such as `/editExp/$id`. */
export function matches(pattern: string, path: string): boolean {
  const parts = path.split('/')
  const wanted = pattern.split('/')
  return (
    parts.length === wanted.length &&
    wanted.every((part, i) => (part.startsWith('$') ? parts[i] !== '' : part === parts[i]))
  )
}
