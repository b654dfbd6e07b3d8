import { ownHeader, type SiteData } from '#contract/api.ts'
import { dayMs } from '#contract/durations.ts'
import { headOfPage, missingSheet } from '#contract/page-heads.ts'
import type { Section } from '#contract/sections/section.ts'
import { listAt, pagesOf, partOf, pathOfPage, type ListPlace } from '#contract/list-pages.ts'
import {
  entriesShown,
  pageAt,
  pages as table,
  type PostedForm,
  type ShownEntries,
} from '#contract/pages.ts'
import { cvPdfPath } from '#contract/resume/resume-calls.ts'
import { resumePath, resumeOf } from '#contract/resume/resume.ts'
import { contactNotices } from '#contract/contact.ts'
import { loginTexts } from '#contract/login.ts'
import { bannerEnd, settingsOf } from '#contract/settings.ts'
import { fullName } from '#contract/person.ts'
import type { Log } from '../log.ts'
import { headOf, linkedDataBlock, robotsOf, shellHead, sitemapOf } from './head.ts'
import { isHiddenPage, visitorsSite } from './hidden.ts'
import { manifestOf } from './manifest.ts'
import { endOfDay } from '../end-of-day.ts'
import type { RevisionMemo } from './revision-memo.ts'
import type { CvPdf } from '../resume/cv-pdf.ts'
import type { HeaderList, SecurityHeaders } from '../edge/security-headers.ts'
import { sharedFor } from '../edge/shared-cache.ts'
import { createImprover } from '../edge/compression.ts'
import { storeAnswer, type StoredAnswer } from '../edge/stored-answer.ts'
import { contactPath, createMarked, markForm } from './form-mark.ts'
import type { Template } from './template.ts'

/** Draws the body of one page; the client's own code, built for the server. */
export type Render = (request: {
  readonly url: string
  readonly data: SiteData
  readonly address: string
  readonly posted?: PostedForm
}) => Promise<{ readonly status: number; readonly app: string; readonly state: string }>

/** What pages are made with; under development it is new for every page. */
export interface PageRenderer {
  readonly template: Template
  readonly render: Render
}

interface PagesOptions {
  drawing(): PageRenderer | Promise<PageRenderer>
  /** The site with those entries of each section that the page shows. */
  readSite(shown: (section: Section) => ShownEntries): Promise<SiteData>
  readonly revision: RevisionMemo
  readonly publicUrl: string
  readonly headers: SecurityHeaders
  readonly log: Log
  readonly now: () => Date
  /** What draws the CV as a file; without it there is none. */
  readonly drawCv?: CvPdf | undefined
  /** What tells later when a form was drawn. */
  newMark(): string
  /** Whether pages are kept until the content changes. */
  readonly keep: boolean
  /** For how long shared caches may keep visitors' pages; see `Config`. */
  readonly sharedCacheS: number
}

interface Kept {
  readonly revision: number
  readonly page: StoredAnswer
  /** The moment, in milliseconds, from which it shows what is over. */
  readonly until: number
}

/** Every page of the site, drawn once per revision of its content. */
export interface Pages {
  /** The page at a decoded path; at once when it is kept and current. */
  find(path: string, query: string): StoredAnswer | Promise<StoredAnswer>
  /** Whether there is a page of its own at a decoded path. */
  knows(path: string): boolean
  /** The contact page's document with a form that came without JavaScript and was not sent; it keeps its mark. */
  redrawContact(posted: PostedForm, mark: string): Promise<string>
}

export const loginPath = '/login'
/** Where the browser goes after a message sent without JavaScript. */
export const sentContactUrl = '/contact?enviado=1'
/** Where the browser goes that sent the login form without the application. */
export const unsentLoginUrl = `${loginPath}?sin-enviar=1`

const shell = '/index.html'
const manifestPath = '/manifest.webmanifest'
/** What is drawn for every address the site does not have. */
export const missing = '/404'
const sitemapPath = '/sitemap.xml'
const fixedFiles = [sitemapPath, '/robots.txt', manifestPath, resumePath, shell]
/** Whatever is asked for by its very name, as nearly always: patterns are matched one after the other. */
const ownPaths = new Set([
  ...fixedFiles,
  ...table.filter(({ path }) => !path.includes('$')).map(({ path }) => path),
])

/** The few keys all addresses fall into, so that no stranger can fill the memory with pages. */
function keyOf(path: string, query: string, { drawCv }: PagesOptions): string {
  if (path === cvPdfPath) return drawCv ? path : missing
  if (query !== '' && Object.hasOwn(postedForms, `${path}?${query}`)) return `${path}?${query}`
  if (ownPaths.has(path)) return path
  const list = listAt(path)
  return list ? pathOfPage(list.section, list.page) : (pageAt(path)?.path ?? missing)
}

/** The files of the whole résumé; every page says for itself what it shows. */
const wholeFiles = new Set([resumePath, cvPdfPath])

/** Reading all for every page held everybody up. */
function shownBy(key: string, section: Section): ShownEntries {
  if (key === sitemapPath) return 0
  return wholeFiles.has(key) ? 'all' : entriesShown(key, section)
}

/** How many pages visitors find of a list. */
const pagesFor = (key: string, list: ListPlace, data: SiteData): number =>
  isHiddenPage(key, data) ? 1 : pagesOf(partOf(data, list).count)

/** Draws pages and keeps them; a page is drawn again as soon as the content's revision differs, and every day. */
export function createPages(options: PagesOptions): Pages {
  const kept = new Map<string, Kept>()
  const drawn = new Map<string, Promise<StoredAnswer>>()
  /** Where each section's list ends, as it was last read. */
  const lists = new Map<string, { readonly revision: number; readonly pages: number }>()
  const marked = createMarked(options)
  const improve = createImprover({
    onError: (error) => options.log('page-not-compressed', { error: String(error) }),
  })

  const readFor = (key: string) => options.readSite((section) => shownBy(key, section))
  const draw = async (key: string, revision: number): Promise<StoredAnswer> => {
    // Before the reading: what the site says by then is of that day, or of a later one.
    const drawnAt = options.now().getTime()
    const data = visitorsSite(await readFor(key))
    const list = listAt(key)
    if (list) lists.set(list.section.key, { revision, pages: pagesFor(key, list, data) })
    const there = reachable(key, revision)
    if (there !== key) return current(there, revision)
    const page = await drawPage(options, { key, data })
    if (options.keep) {
      const end = bannerEnd(settingsOf(data.settings))
      const ends = [endOfDay(drawnAt), ...(end > drawnAt ? [end] : [])]
      kept.set(key, { revision, page, until: Math.min(...ends) })
      if (page.compressible) improve(key, page.body)
    }
    return page
  }
  /** Readers that come while a page is being drawn wait for that one drawing. */
  const drawOnce = (key: string, revision: number): Promise<StoredAnswer> => {
    const name = `${revision} ${key}`
    const running = drawn.get(name)
    if (running) return running
    const started = draw(key, revision).finally(() => drawn.delete(name))
    drawn.set(name, started)
    return started
  }
  /** All the numbers that a list does not reach are one page, which says so; nothing is read for them. */
  const reachable = (key: string, revision: number): string => {
    const list = listAt(key)
    const end = list && lists.get(list.section.key)
    const isBeyond = end?.revision === revision && list && list.page > end.pages
    return isBeyond ? pathOfPage(list.section, 0) : key
  }
  const current = (asked: string, revision: number) => {
    const key = reachable(asked, revision)
    const entry = kept.get(key)
    const isCurrent = entry?.revision === revision && options.now().getTime() < entry.until
    return isCurrent ? entry.page : drawOnce(key, revision)
  }
  return {
    find: (path, query) => {
      const key = keyOf(path, query, options)
      const revision = options.revision.known()
      const page =
        revision === undefined
          ? options.revision.read().then((read) => current(key, read))
          : current(key, revision)
      if (key !== contactPath || !options.keep) return page
      return page instanceof Promise ? page.then(marked) : marked(page)
    },
    knows: (path) => keyOf(path, '', options) !== missing,
    redrawContact: async (posted, mark) => {
      const page = { key: contactPath, data: visitorsSite(await readFor(contactPath)), posted }
      return markForm(await drawHtml(options, page), mark)
    },
  }
}

interface Drawn {
  readonly key: string
  readonly data: SiteData
  readonly posted?: PostedForm
}

async function drawPage(options: PagesOptions, page: Drawn): Promise<StoredAnswer> {
  const { key, data } = page
  const { publicUrl, headers } = options
  const text = (type: string, body: string) =>
    storeAnswer({
      status: 200,
      headers: [...headers.page, 'Content-Type', type, ...cachingOf(options, key)],
      body: Buffer.from(body),
      compressible: true,
    })
  if (key === manifestPath) return text('application/manifest+json', manifestOf(data))
  if (key === resumePath) {
    return text('application/json', JSON.stringify(resumeOf(data, { publicUrl }), null, 2))
  }
  if (key === cvPdfPath && options.drawCv) {
    return storeAnswer({
      status: 200,
      headers: [...headers.page, ...fileHeaders(data), ...cachingOf(options, key)],
      body: await options.drawCv(data, dayOf(options.now())),
      compressible: false,
    })
  }
  if (key === '/robots.txt') return text('text/plain; charset=utf-8', robotsOf(publicUrl))
  if (key === sitemapPath) return text('application/xml', sitemapOf(data, publicUrl))
  const isMissing = key === missing || listAt(key)?.page === 0 || isHiddenPage(key, data)
  const caching = isMissing ? notShared : cachingOf(options, key)
  const found = pageAt(key)
  const isForAll = found !== undefined && found.kind === undefined
  return storeAnswer({
    status: isMissing ? 404 : 200,
    headers: [
      ...headers.page,
      'Content-Type',
      'text/html; charset=utf-8',
      ...caching,
      // Devices keep what is drawn for everybody, and drop what is gone.
      ...(isMissing || isForAll ? [ownHeader, '1'] : []),
    ],
    body: Buffer.from(await drawHtml(options, page)),
    compressible: true,
  })
}

const percent = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`

/** Under which name the CV is saved. */
function fileHeaders({ person }: SiteData): HeaderList {
  const name = encodeURIComponent(`CV ${fullName(person)}.pdf`).replace(/['()*]/g, percent)
  return [
    'Content-Type',
    'application/pdf',
    'Content-Disposition',
    `inline; filename="cv.pdf"; filename*=UTF-8''${name}`,
  ]
}

/** The same content drawn twice on a day is the same to the byte. */
function dayOf(moment: Date): Date {
  return new Date(endOfDay(moment.getTime()) - dayMs)
}

const notShared: HeaderList = ['Cache-Control', 'no-cache']
/** The same for every visitor; the contact page tells when it was drawn. */
const sharedKeys = new Set([sitemapPath, '/robots.txt', manifestPath, resumePath, cvPdfPath])
for (const { path, kind } of table) {
  if (kind === undefined && path !== contactPath) sharedKeys.add(path)
}

const isShared = (key: string) => sharedKeys.has(key) || listAt(key) !== undefined

function cachingOf({ sharedCacheS }: PagesOptions, key: string): HeaderList {
  if (sharedCacheS === 0 || !isShared(key)) return notShared
  return Object.entries(sharedFor(sharedCacheS)).flat()
}

/** The document of a page or of what is missing, for the site as visitors get it. */
export async function drawHtml(
  options: Pick<PagesOptions, 'drawing' | 'publicUrl' | 'drawCv'>,
  page: Drawn,
): Promise<string> {
  const { key, data } = page
  // A hidden section is nowhere; its page starts by itself, since for its owner the browser draws the list.
  const isHidden = isHiddenPage(key, data)
  const path = isHidden ? missing : key.replace(/\?.*$/, '')
  const { template, render } = await options.drawing()
  const found = pageAt(path)
  const sheet = found ? headOfPage(found).sheet : missingSheet
  const theme = settingsOf(data.settings).default_theme
  const { publicUrl } = options
  const hasPdf = options.drawCv !== undefined
  const head = key === shell ? shellHead(data) : headOf({ path, data, publicUrl })
  // The owner's pages depend on her session, which only the browser knows.
  if (key === shell || found?.kind === 'owner') {
    return template.complete({
      sheet,
      theme,
      head,
      start: 'now',
      app: '',
      facts: '',
      state: '',
      hasPdf,
    })
  }
  const posted = postedForms[key] ?? page.posted
  const { app, state } = await render({
    url: path,
    data,
    address: publicUrl,
    ...(posted && { posted }),
  })
  const start = isHidden ? 'now' : found?.kind === 'form' ? 'painted' : undefined
  const facts = linkedDataBlock({ path, data, publicUrl })
  return template.complete({ sheet, theme, head, start, app, facts, state, hasPdf })
}

/** What the pages say that a posted form leads to, by their addresses. */
const postedForms: Readonly<Record<string, PostedForm>> = {
  [sentContactUrl]: { values: {}, errors: {}, outcome: 'sent', notice: contactNotices.sent },
  [unsentLoginUrl]: { values: {}, errors: {}, outcome: 'failed', notice: loginTexts.unsent },
}
