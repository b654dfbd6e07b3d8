import { ownHeader, type SiteData } from '#contract/api.ts'
import { dayMs, endOfDay } from '#contract/durations.ts'
import {
  allPagesPath,
  mostKeptEntries,
  shellPath,
  unframed,
  type GivenPage,
} from '#contract/offline/kept-page.ts'
import { siteReads } from '#contract/offline/site-reads.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import {
  listAt,
  pagesOf,
  partOf,
  pathOfPage,
  type ListPlace,
} from '#contract/entries/list-pages.ts'
import {
  entriesShown,
  pageAt,
  pages as table,
  type PostedForm,
  type ShownEntries,
} from '#contract/pages.ts'
import { cvPdfPath } from '#contract/resume/resume-calls.ts'
import { resumePath } from '#contract/resume/resume.ts'
import { bannerEnd, settingsOf } from '#contract/settings/settings.ts'
import type { Log } from '../log.ts'
import {
  drawHtml,
  missing,
  postedForms,
  sheetOf,
  type DocumentOptions,
  type Drawn,
} from './document.ts'
import { cvFileHeaders, sitemapPath, writtenFiles } from './files.ts'
import { isHiddenPage, visitorsSite } from './hidden.ts'
import type { RevisionMemo } from './revision-memo.ts'
import { byName, type HeaderList, type SecurityHeaders } from '../edge/security-headers.ts'
import { requestIdHeader } from '../edge/request-ids.ts'
import { sharedFor } from '../edge/shared-cache.ts'
import { compress, createImprover } from '../edge/compression.ts'
import { storeAnswer, type StoredAnswer } from '../edge/stored-answer.ts'
import { unavailable } from '../problem.ts'
import { contactPath, createMarked, markForm } from './form-mark.ts'

interface PagesOptions extends DocumentOptions {
  /** The site with those entries of each section that the page shows. */
  readSite(shown: (section: Section) => ShownEntries): Promise<SiteData>
  /** What the API answers to a visitor. */
  readAnswer(path: string): Response | Promise<Response>
  readonly revision: RevisionMemo
  readonly headers: SecurityHeaders
  readonly log: Log
  readonly now: () => Date
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
  /** The moment, in milliseconds, at which it was drawn: a clock that is set back makes it wrong, too. */
  readonly since: number
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
  /** Leaves what is kept as it is: nobody reads it any more. */
  stop(): void
}

const fixedFiles = [...Object.keys(writtenFiles), allPagesPath, shellPath]
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

/** What only workers fetch, behind a page that is there: it may take the moment that it takes to weigh the least. */
const isForWorkers = (key: string) => key === allPagesPath || key === shellPath

const apiPath = '/api/'

/** The files of the whole résumé; every page says for itself what it shows. */
const wholeFiles = new Set([resumePath, cvPdfPath])

/** Reading all for every page held everybody up. */
function shownBy(key: string, section: Section): ShownEntries {
  if (key === sitemapPath || key === allPagesPath) return 0
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
  const { improve, stop } = createImprover({
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
    const page =
      key === allPagesPath
        ? drawFile(options, {
            key,
            type: 'application/json',
            text: await allPages(options, data, find(revision)),
          })
        : await drawPage(options, { key, data })
    if (options.keep) {
      const end = bannerEnd(settingsOf(data.settings))
      const ends = [endOfDay(drawnAt), ...(end > drawnAt ? [end] : [])]
      if (isForWorkers(key)) page.body.improve(await compress(page.body.plain, 'br', 'best'))
      else if (page.compressible) improve(key, page.body)
      kept.set(key, { revision, page, since: drawnAt, until: Math.min(...ends) })
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
    const time = options.now().getTime()
    const isCurrent = entry?.revision === revision && entry.since <= time && time < entry.until
    return isCurrent ? entry.page : drawOnce(key, revision)
  }
  /** As readers get them; a mark in them is of this moment. */
  const find = (revision: number) => async (key: string) => {
    const page = await current(key, revision)
    return key === contactPath ? marked(page) : page
  }
  return {
    stop,
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

async function drawPage(options: PagesOptions, page: Drawn): Promise<StoredAnswer> {
  const { key, data } = page
  const { publicUrl, headers } = options
  const file = writtenFiles[key]
  if (file) {
    return drawFile(options, { key, type: file.type, text: file.write(data, publicUrl) })
  }
  if (key === cvPdfPath && options.drawCv) {
    return storeAnswer({
      status: 200,
      headers: [...headers.file, ...cvFileHeaders(data), ...cachingOf(options, key)],
      body: await options.drawCv(data, dayOf(options.now())),
      compressible: false,
    })
  }
  const isMissing = key === missing || listAt(key)?.page === 0 || isHiddenPage(key, data)
  const caching = isMissing ? notShared : cachingOf(options, key)
  const found = pageAt(key)
  const isForAll = found !== undefined && found.kind === undefined
  return storeAnswer({
    status: isMissing ? 404 : 200,
    headers: [
      ...headers.page(sheetOf(page)),
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

interface DrawnFile {
  readonly key: string
  readonly type: string
  readonly text: string
}

function drawFile(options: PagesOptions, { key, type, text }: DrawnFile): StoredAnswer {
  // Devices keep only what says that it is ours.
  const own = key === allPagesPath ? [ownHeader, '1'] : []
  return storeAnswer({
    status: 200,
    headers: [...options.headers.api, 'Content-Type', type, ...cachingOf(options, key), ...own],
    body: Buffer.from(text),
    compressible: true,
  })
}

/** The same content drawn twice on a day is the same to the byte. */
function dayOf(moment: Date): Date {
  return new Date(endOfDay(moment.getTime()) - dayMs)
}

const notShared: HeaderList = ['Cache-Control', 'no-cache']
/** The same for every visitor; the contact page tells when it was drawn. */
const sharedKeys = new Set([...Object.keys(writtenFiles), cvPdfPath])
for (const { path, kind } of table) {
  if (kind === undefined && path !== contactPath) sharedKeys.add(path)
}

const isShared = (key: string) => sharedKeys.has(key) || listAt(key) !== undefined

function cachingOf({ sharedCacheS }: PagesOptions, key: string): HeaderList {
  if (sharedCacheS === 0 || !isShared(key)) return notShared
  return Object.entries(sharedFor(sharedCacheS)).flat()
}

/**
 * The pages that the server draws for everybody, the one without content, and the API's answers that they are drawn from, with
 * the headers of each, as JSON; nothing that is too long to be kept, and of pages nothing that the one at hand has too.
 */
async function allPages(
  options: PagesOptions,
  site: SiteData,
  find: (path: string) => Promise<StoredAnswer> | StoredAnswer,
): Promise<string> {
  const given: Record<string, GivenPage> = {}
  const counts = Object.values(site.counts ?? {})
  const isLong = counts.reduce((sum, count) => sum + count, 0) > mostKeptEntries
  const own = table.filter(
    ({ path, kind, entries }) =>
      kind === undefined && !isHiddenPage(path, site) && !(entries === 'cv' && isLong),
  )
  for (const path of [...own.map((page) => page.path), shellPath]) {
    // One after the other: whoever asks for a page meanwhile is answered in between.
    const { headers, body } = await find(path)
    given[path] = { headers: byName(headers), text: unframed(body.plain.toString()) }
  }
  const shown = sections.filter((section) => !isHiddenPage(section.path, site))
  for (const read of isLong ? [] : siteReads(shown)) {
    const answer = await options.readAnswer(apiPath + read)
    // Kept as they are, they would lack it until the content changes.
    const { status } = answer
    if (status === 429 || status >= 500) throw unavailable()
    if (!answer.ok) continue
    // It names this reading, which nobody asked for.
    answer.headers.delete(requestIdHeader)
    const headers = { ...byName(options.headers.api), ...Object.fromEntries(answer.headers) }
    given[apiPath + read] = { headers, text: await answer.text() }
  }
  return JSON.stringify(given)
}
