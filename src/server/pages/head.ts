import type { SiteData } from '#contract/api.ts'
import { headOfPage, pageMeta, type PageMeta } from '#contract/page-heads.ts'
import { pagesOf, partOf, pathOfPage } from '#contract/entries/list-pages.ts'
import { afterSections, beforeSections, type Page } from '#contract/pages.ts'
import { sections } from '#contract/sections/index.ts'
import { fullName } from '#contract/person/person.ts'
import { inOrder, settingsOf } from '#contract/settings/settings.ts'
import { resumePath } from '#contract/resume/resume.ts'
import { locale } from '#contract/text.ts'
import { escapeHtml, scriptJson } from '../edge/escape.ts'
import { isHiddenPage } from './hidden.ts'
import { linkedData } from './linked-data.ts'

/** Search results and shared links show no more than about this. */
const descriptionLength = 180

/** The pages that say of the person what her résumé says. */
const tellsPerson = new Set(['/about', '/cv'])
const resumeLink = `<link rel="alternate" type="application/json" href="${resumePath}">`

interface HeadOptions {
  /** Path of the page, decoded, without query. */
  readonly path: string
  readonly data: SiteData
  readonly publicUrl: string
}

/** What the document's head says of a page: for its tab, for search engines and for shared links. */
export function headOf({ path, data, publicUrl }: HeadOptions): string {
  const meta = pageMeta(path, data.person)
  const description = escapeHtml(shorten(meta.description))
  const title = escapeHtml(meta.title)
  const resume = tellsPerson.has(path) ? resumeLink : ''
  const about = `<title>${title}</title><meta name="description" content="${description}">${resume}`
  if (!meta.indexed) return `${about}<meta name="robots" content="noindex">`
  const url = escapeHtml(`${publicUrl}${path}`)
  return [
    about,
    `<link rel="canonical" href="${url}">`,
    ...Object.entries(openGraph(meta, { path, data, publicUrl })).map(
      ([property, content]) => `<meta property="og:${property}" content="${escapeHtml(content)}">`,
    ),
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('')
}

/** The head of the bare page that the browser draws whatever its address is. */
export function shellHead({ person }: SiteData): string {
  return `<title>${escapeHtml(fullName(person))}</title><meta name="robots" content="noindex">`
}

/** Twitter reads these too, so only its kind of card has a tag of its own. */
function openGraph(meta: PageMeta, { path, data, publicUrl }: HeadOptions) {
  const site = fullName(data.person)
  return {
    type: path === '/' || path === '/about' ? 'profile' : 'website',
    locale,
    site_name: site,
    title: meta.title,
    description: shorten(meta.description),
    url: `${publicUrl}${path}`,
    image: `${publicUrl}/og.png`,
    'image:width': '1200',
    'image:height': '630',
    'image:alt': site,
  }
}

/** What search engines are told of the page as data; nothing of it is seen, so it stands behind the content. */
export function linkedDataBlock(options: HeadOptions): string {
  const { indexed } = pageMeta(options.path, options.data.person)
  const node = indexed ? linkedData(options) : undefined
  return node ? `<script type="application/ld+json">${scriptJson(node)}</script>` : ''
}

/** The text on one line, cut between words. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const letters = Array.from(line)
  if (letters.length <= descriptionLength) return line
  const cut = letters.slice(0, descriptionLength).join('')
  return `${cut.replace(/\s+\S*$/, '')}…`
}

/** The addresses search engines may list: all public ones but those of hidden sections, in the navigation's order. */
export function sitemapOf(data: SiteData, publicUrl: string): string {
  const listed = inOrder(sections, settingsOf(data.settings))
  const pages: readonly Page[] = [...beforeSections, ...listed, ...afterSections]
  const urls = pages
    .filter((page) => headOfPage(page).indexed && !isHiddenPage(page.path, data))
    .flatMap(({ path }) => [path, ...furtherPages(path, data)])
    .map((path) => `<url><loc>${escapeHtml(`${publicUrl}${path}`)}</loc></url>`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`,
    '',
  ].join('\n')
}

/** The pages of a list behind its first; none of any other page. */
export function furtherPages(path: string, data: SiteData): readonly string[] {
  const section = sections.find((one) => one.path === path)
  if (!section) return []
  const { count } = partOf(data, { section, page: 1 })
  return Array.from({ length: pagesOf(count) - 1 }, (_, i) => pathOfPage(section, i + 2))
}

/** Which addresses robots may read; the owner's forms say `noindex` themselves, which only a reader can see. */
export function robotsOf(publicUrl: string): string {
  return robotsFile(['Allow: /api/typing', 'Disallow: /api/'], publicUrl)
}

/** The same for files without a server, all of which are for everybody. */
export function robotsOfCopy(address: string): string {
  return robotsFile(['Allow: /'], address)
}

function robotsFile(rules: readonly string[], publicUrl: string): string {
  return ['User-agent: *', ...rules, '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n')
}
