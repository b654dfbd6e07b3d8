import { hash } from 'node:crypto'
import { calls, type SiteData } from '#contract/api.ts'
import { bannerEnd, settingsOf } from '#contract/settings/settings.ts'
import { listAt } from '#contract/entries/list-pages.ts'
import { pageAt, pages as table } from '#contract/pages.ts'
import { cvPdfPath } from '#contract/resume/resume-calls.ts'
import { resumeOf, resumePath } from '#contract/resume/resume.ts'
import type { Statics } from '../edge/static.ts'
import type { PictureFiles } from '../images/picture-files.ts'
import { furtherPages, robotsOfCopy, sitemapOf } from '../pages/head.ts'
import { isHiddenPage, visitorsSite } from '../pages/hidden.ts'
import { drawHtml, missing as missingPath, type PageRenderer } from '../pages/document.ts'
import type { CvPdf } from '../resume/cv-pdf.ts'
import { parseDrawing } from '../typed-title/parse-drawing.ts'
import type { TitlePictures } from '../typed-title/typed-title.ts'
import { copiedPage, copiedSheet, type ContactLink } from './copied-page.ts'
import { keepingPictures, lostPictures, type ReadPicture } from './copied-pictures.ts'

/*
 * The site as files that need no server: what visitors see, at one moment, wherever it is put. Nothing in it tells when it
 * was made, so that the same content gives the same bytes.
 */

/** What the copy is drawn from; the same as the site. */
export interface CopySources {
  drawing(): PageRenderer | Promise<PageRenderer>
  readonly statics: Pick<Statics, 'find'>
  readonly pictures: Pick<PictureFiles, 'isRemote' | 'list' | 'read'>
  readonly typedTitle: TitlePictures
  /** What draws the CV as a file; without it the copy has none. */
  readonly drawCv?: CvPdf | undefined
}

/** How the copy is to be. */
interface CopyWish {
  /** Where it will be, without a final slash: what search engines, the card and shared links name. */
  readonly address: string
  /** Whether the address was chosen for the copy: then pages for missing addresses count on it. */
  readonly isChosen?: boolean
  /** Absent: the page says that the form is closed. */
  readonly contact: ContactLink | undefined
}

export interface CopyFile {
  readonly name: string
  /** Whether it grows smaller when it is compressed. */
  readonly isText: boolean
  read(): Promise<Uint8Array>
}

interface UnreadPicture {
  readonly address: string
  readonly error: Error
}

export interface SiteCopy {
  /** By name. */
  readonly files: readonly CopyFile[]
  /** Addresses of pictures that the site names and does not have. */
  readonly missing: readonly string[]
  /** Those that it has and could not read, which the copy therefore lacks too. */
  readonly unread: readonly UnreadPicture[]
  /** Why the CV could not be drawn as a file: then the copy has none, and no page leads to it. */
  readonly cvFailure?: Error
}

/**
 * The files of the copy. Each picture is read once, so that one that cannot be is known before the copy is given out, and again when
 * it is asked for: all of them would not fit into the memory. Those of a storage service are kept as far as they do.
 */
export async function copySite(
  data: SiteData,
  given: CopySources,
  wish: CopyWish,
): Promise<SiteCopy> {
  const site = settled(visitorsSite(data), wish)
  const { cvFailure, ...drawn } = await withDrawnCv(given, site, wish.address)
  const pictures = keepingPictures(drawn.pictures)
  const sources = { ...drawn, readPicture: pictures.again }
  const there = new Set((await drawn.pictures.list()).map(({ name }) => name))
  const first = await drawCopy(site, { ...sources, there }, wish)
  const lost = await lostPictures(picturesIn(first.files), pictures.first)
  for (const { name } of lost) there.delete(name)
  // Anew without them: pages lead to nothing that is not in the copy.
  const copy = lost.length === 0 ? first : await drawCopy(site, { ...sources, there }, wish)
  const unread = lost.flatMap(({ name, error }) =>
    error ? [{ address: `/media/${name}`, error }] : [],
  )
  const known = new Set(unread.map(({ address }) => address))
  return {
    files: copy.files,
    missing: copy.missing.filter((address) => !known.has(address)),
    unread,
    ...(cvFailure !== undefined && { cvFailure }),
  }
}

const picturesIn = (files: readonly CopyFile[]) =>
  files.flatMap(({ name }) => (name.startsWith('media/') ? [name.slice('media/'.length)] : []))

interface DrawnFrom extends CopySources {
  /** Reads one whose bytes go into the copy. */
  readonly readPicture: ReadPicture
  /** The names of the pictures that the copy may have. */
  readonly there: ReadonlySet<string>
}

async function drawCopy(
  site: SiteData,
  sources: DrawnFrom,
  wish: CopyWish,
): Promise<Pick<SiteCopy, 'files' | 'missing'>> {
  const { address } = wish
  const found = openFiles(sources, site)
  const files = found.files
  const put = (name: string, text: string) =>
    files.set(name, { name, isText: true, read: async () => Buffer.from(text) })
  const { email } = settingsOf(site.settings)
  const draw = async (path: string, file: string, root?: string) => {
    const document = await drawHtml(
      { drawing: sources.drawing, publicUrl: address, drawCv: sources.drawCv },
      { key: path, data: site },
    )
    const { contact } = wish
    put(file, copiedPage(document, { file, fileOf: found.fileOf, contact, email, root }))
  }
  for (const path of shownPages(site)) await draw(path, fileOfPage(path))
  // Servers show it in the place of any address, so only from its root are others found.
  const rootOf404 = wish.isChosen ? new URL(`${address}/`).pathname : undefined
  await draw(missingPath, '404.html', rootOf404)
  for (const path of alwaysThere) found.fileOf(path)
  put('resume.json', JSON.stringify(resumeOf(site, { publicUrl: address }), null, 2))
  put('sitemap.xml', sitemapOf(site, address))
  put('robots.txt', robotsOfCopy(address))
  put('sw.js', retiredWorker)
  put('_headers', headers)
  put('.nojekyll', '')
  const domain = wish.isChosen ? domainOf(address) : undefined
  if (domain !== undefined) put('CNAME', `${domain}\n`)
  found.finish()
  return {
    files: [...files.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    missing: [...found.missing].toSorted(),
  }
}

/** The CV is drawn before the pages, which lead to it; a copy without it is better than none. */
async function withDrawnCv(
  { drawCv, ...rest }: CopySources,
  site: SiteData,
  address: string,
): Promise<CopySources & Pick<SiteCopy, 'cvFailure'>> {
  try {
    const cv = await drawCv?.(site, sameDay, address)
    return cv ? { ...rest, drawCv: async () => cv } : rest
  } catch (error) {
    return { ...rest, cvFailure: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** The file that a page is in the copy. */
const fileOfPage = (path: string) => (path === '/' ? 'index.html' : `${path.slice(1)}/index.html`)

/** Pages that are of use without a server. */
const shownPages = (site: SiteData) =>
  table
    .filter(({ path, kind }) => kind === undefined && !isHiddenPage(path, site))
    .flatMap(({ path }) => [path, ...furtherPages(path, site)])

/** What browsers and other sites ask for without a page that links it. */
const alwaysThere = ['/favicon.ico', '/og.png']

/** The site without what only a running one can do: another service's drawings, notices that end, a form that nobody takes. */
function settled(site: SiteData, { contact }: CopyWish): SiteData {
  const values = settingsOf(site.settings)
  const ends = bannerEnd(values) < Infinity
  return {
    ...site,
    settings: {
      ...site.settings,
      typing_image_url: '',
      ...(ends && { banner_text: '' }),
      ...(!contact && { contact_enabled: 'false' }),
    },
  }
}

/** What the CV calls the day it was drawn on: the same content gives the same bytes. */
const sameDay = new Date('1980-01-01T00:00:00Z')

/** Finds what is behind the site's addresses, and keeps note of all that was asked for. */
function openFiles(sources: DrawnFrom, site: SiteData) {
  const { statics, readPicture, there, typedTitle, drawCv } = sources
  const files = new Map<string, CopyFile>()
  const missing = new Set<string>()
  const sheets: string[] = []
  const paths = new Set(shownPages(site))

  const keep = (name: string, isText: boolean, read: CopyFile['read']) => {
    if (!files.has(name)) files.set(name, { name, isText, read })
    return name
  }
  const built = (path: string) => {
    const stored = statics.find(path)
    if (!stored) return undefined
    const name = path.slice(1)
    if (path.endsWith('.css') && !files.has(name)) sheets.push(path)
    return keep(name, stored.compressible, async () => stored.body.plain)
  }
  const picture = (path: string) => {
    const name = path.slice('/media/'.length)
    if (!there.has(name)) return void missing.add(path)
    return keep(path.slice(1), name.endsWith('.svg'), async () => {
      const bytes = await readPicture(name)
      if (!bytes) throw new Error(`the picture ${name} is gone`)
      return bytes
    })
  }
  const title = (address: string) => {
    const drawing = parseDrawing(new URL(address, 'http://site').searchParams)
    const name = hash('sha256', address).slice(0, 12)
    return keep(`title/${name}.svg`, true, async () => (await typedTitle.svg(drawing, true)).plain)
  }
  const fileOf = (address: string): string | undefined => {
    if (address.startsWith(`/api/${calls.typing}?`)) return title(address)
    if (address.startsWith('/media/')) return picture(address)
    if (address === cvPdfPath) {
      return drawCv && keep(cvPdfPath.slice(1), false, () => drawCv(site, sameDay))
    }
    if (address === resumePath) return resumePath.slice(1)
    const path = listAt(address) ? address : pageAt(address)?.path
    if (path !== undefined && paths.has(path)) return fileOfPage(path)
    return built(address)
  }
  /** Style sheets name fonts. */
  const finish = () => {
    for (const path of sheets) {
      const file = path.slice(1)
      const text = statics.find(path)?.body.plain.toString() ?? ''
      const copied = copiedSheet(text, { file, fileOf })
      files.set(file, { name: file, isText: true, read: async () => Buffer.from(copied) })
    }
    if (sheets.length === 0) throw new Error('the pages of the copy have no style sheet')
  }
  return { files, missing, fileOf, finish }
}

/** The domain that hosts of static sites read from a file; an address below a path or of theirs is none. */
function domainOf(address: string): string | undefined {
  const { hostname, pathname } = new URL(address)
  const isOwn =
    /[a-z]$/.test(hostname) && hostname.includes('.') && !hostname.endsWith('.github.io')
  return isOwn && pathname === '/' ? hostname : undefined
}

/** For hosts that take headers from a file; the pages carry their policy themselves. */
const headers = `/*
  X-Content-Type-Options: nosniff
  Referrer-Policy: strict-origin-when-cross-origin
  Permissions-Policy: camera=(), microphone=(), geolocation=(), payment=(), usb=()
  Content-Security-Policy: frame-ancestors 'none'
/assets/*
  Cache-Control: public, max-age=31536000, immutable
/media/*
  Cache-Control: public, max-age=31536000, immutable
/sw.js
  Cache-Control: no-cache
`

/** Takes the place of the worker of a site that was at this address before: it deletes that worker's caches and unregisters. */
const retiredWorker = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(leave()))
async function leave() {
  const names = (await caches.keys()).filter((name) => /^(?:tintero|workbox)-/.test(name))
  await Promise.all(names.map((name) => caches.delete(name)))
  await self.registration.unregister()
}
`
