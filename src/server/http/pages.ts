import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { SiteData } from '#contract/api.ts'
import { setupPath } from '#contract/session.ts'
import { matches, ownerPaths, publicPaths, type PostedForm } from '#contract/pages.ts'
import { contactNotices } from '#contract/contact.ts'
import { formMarkParameter } from '#contract/form-mark.ts'
import { sections } from '#contract/sections/index.ts'
import { bannerEnd, settingsOf } from '#contract/settings.ts'
import type { Log } from '../log.ts'
import { headOf, robotsOf, shellHead, sitemapOf } from './head.ts'
import { manifestOf } from './manifest.ts'
import type { RevisionMemo } from './revision-memo.ts'
import type { HeaderList, SecurityHeaders } from './security-headers.ts'
import { storeAnswer, type StoredAnswer } from './stored-answer.ts'
import type { Template } from './template.ts'

/** Draws the body of one page; the client's own code, built for the server. */
export type Render = (request: {
  readonly url: string
  readonly data: SiteData
  readonly posted?: PostedForm
}) => Promise<{ readonly status: number; readonly app: string; readonly state: string }>

/** What pages are made with; under development it is new for every page. */
export interface Drawing {
  readonly template: Template
  readonly render: Render
}

interface PagesOptions {
  drawing(): Drawing | Promise<Drawing>
  readSite(): Promise<SiteData>
  readonly revision: RevisionMemo
  readonly publicUrl: string
  readonly headers: SecurityHeaders
  readonly log: Log
  readonly now: () => Date
  /** What tells later when a form was drawn. */
  newMark(): string
  /** Whether pages are kept until the content changes. */
  readonly keep: boolean
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

/** Where the browser goes after a message sent without JavaScript. */
export const sentContactUrl = '/contact?enviado=1'

const shell = '/index.html'
const manifestPath = '/manifest.webmanifest'
const contactPath = '/contact'
/** Forms that need the application. */
const accessPaths = ['/login', setupPath]
const drawnPaths = new Set([...publicPaths, '/cv', ...accessPaths])
const fixedFiles = new Set(['/sitemap.xml', '/robots.txt', manifestPath, shell])

/** The few keys all addresses fall into, so that no stranger can fill the memory with pages. */
function keyOf(path: string, query: string): string {
  if (path === contactPath && `${path}?${query}` === sentContactUrl) return sentContactUrl
  if (drawnPaths.has(path) || fixedFiles.has(path)) return path
  return ownerPaths.find((pattern) => matches(pattern, path)) ?? '/404'
}

/** Draws pages and keeps them; a page is drawn again as soon as the content's revision differs. */
export function createPages(options: PagesOptions): Pages {
  const kept = new Map<string, Kept>()
  const drawn = new Map<string, Promise<StoredAnswer>>()

  const draw = async (key: string, revision: number): Promise<StoredAnswer> => {
    const data = await options.readSite()
    const drawnAt = options.now().getTime()
    const page = await drawPage(options, { key, data })
    if (options.keep) {
      const end = bannerEnd(settingsOf(data.settings))
      kept.set(key, { revision, page, until: end > drawnAt ? end : Infinity })
      improveLater(page, options.log)
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
  const current = (key: string, revision: number) => {
    const entry = kept.get(key)
    const isCurrent = entry?.revision === revision && options.now().getTime() < entry.until
    return isCurrent ? entry.page : drawOnce(key, revision)
  }
  return {
    find: (path, query) => {
      const key = keyOf(path, query)
      const revision = options.revision.known()
      const page =
        revision === undefined
          ? options.revision.read().then((read) => current(key, read))
          : current(key, revision)
      if (key !== contactPath || !options.keep) return page
      return Promise.resolve(page).then((drawnOnce) => withMark(options, drawnOnce))
    },
    knows: (path) => keyOf(path, '') !== '/404',
    redrawContact: async (posted, mark) => {
      const page = { key: contactPath, data: await options.readSite(), posted }
      return markForm(await drawHtml(options, page), mark)
    },
  }
}

/** The contact page as this one reader gets it: kept pages are everybody's, a form's age is not. */
function withMark({ headers, newMark }: PagesOptions, { status, plain }: StoredAnswer) {
  return storeAnswer({
    status,
    headers: htmlHeaders(headers, 'no-cache'),
    body: Buffer.from(markForm(plain.toString(), newMark())),
    compressible: true,
  })
}

/** Puts the mark into the address the form is sent to; with JavaScript that address is not used. */
function markForm(html: string, mark: string): string {
  if (mark === '') return html
  const marked = `action="${contactPath}?${formMarkParameter}=${encodeURIComponent(mark)}"`
  return html.replace(`action="${contactPath}"`, () => marked)
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
      headers: [...headers.page, 'Content-Type', type, 'Cache-Control', 'no-cache'],
      body: Buffer.from(body),
      compressible: true,
    })
  if (key === manifestPath) return text('application/manifest+json', manifestOf(data))
  if (key === '/robots.txt') return text('text/plain; charset=utf-8', robotsOf(publicUrl))
  if (key === '/sitemap.xml') return text('application/xml', sitemapOf(data, publicUrl))
  return storeAnswer({
    status: key === '/404' ? 404 : 200,
    headers: htmlHeaders(headers, 'no-cache'),
    body: Buffer.from(await drawHtml(options, page)),
    compressible: true,
  })
}

async function drawHtml(options: PagesOptions, page: Drawn): Promise<string> {
  const { key, data } = page
  const path = key.replace(/\?.*$/, '')
  const { template, render } = await options.drawing()
  const sheet = sheetOf(path)
  const theme = settingsOf(data.settings).default_theme
  const { publicUrl } = options
  const head = key === shell ? shellHead(data) : headOf({ path, data, publicUrl })
  // The owner's pages depend on her session, which only the browser knows.
  if (key === shell || ownerPaths.includes(key)) {
    return template.complete({ sheet, theme, head, start: true, app: '', state: '' })
  }
  const posted = key === sentContactUrl ? sentForm : page.posted
  const { app, state } = await render({ url: path, data, ...(posted && { posted }) })
  const start = accessPaths.includes(key)
  return template.complete({ sheet, theme, head, start, app, state })
}

/** The name of a page's own style sheet in the template; sections drawn alike share one. */
function sheetOf(path: string): string {
  if (path === '/') return 'home'
  const section = sections.find((candidate) => candidate.path === path)
  if (!section) return path.slice(1)
  return section.display.kind === 'card' ? section.display.layout : section.display.kind
}

const sentForm: PostedForm = {
  values: {},
  errors: {},
  outcome: 'sent',
  notice: contactNotices.sent,
}

export function htmlHeaders({ page }: SecurityHeaders, caching: string): HeaderList {
  return [...page, 'Content-Type', 'text/html; charset=utf-8', 'Cache-Control', caching]
}

const compress = promisify(brotliCompress)
const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }

/** The first reader gets a quick compression; the best one takes ten times longer and serves all others. */
function improveLater(page: StoredAnswer, log: Log): void {
  compress(page.plain, best).then(
    (brotli) => page.improve(brotli),
    (error: unknown) => log('page-not-compressed', { error: String(error) }),
  )
}
