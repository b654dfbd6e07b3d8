import type { SiteData } from '#contract/api.ts'
import { fullName } from '#contract/person/person.ts'
import { resumeOf, resumePath } from '#contract/resume/resume.ts'
import type { HeaderList } from '../edge/security-headers.ts'
import { robotsOf, sitemapOf } from './head.ts'
import { manifestOf } from './manifest.ts'

/** A file that is no page and is written from the site's content. */
interface WrittenFile {
  readonly type: string
  write(data: SiteData, publicUrl: string): string
}

export const sitemapPath = '/sitemap.xml'

/** By their paths. */
export const writtenFiles: Readonly<Record<string, WrittenFile>> = {
  '/manifest.webmanifest': { type: 'application/manifest+json', write: manifestOf },
  [resumePath]: {
    type: 'application/json',
    write: (data, publicUrl) => JSON.stringify(resumeOf(data, { publicUrl }), null, 2),
  },
  '/robots.txt': {
    type: 'text/plain; charset=utf-8',
    write: (_, publicUrl) => robotsOf(publicUrl),
  },
  [sitemapPath]: { type: 'application/xml', write: sitemapOf },
}

const percent = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`

/** A browser shows the file, and saves it under a name with the person's. */
export function cvFileHeaders({ person }: SiteData): HeaderList {
  const name = encodeURIComponent(`CV ${fullName(person)}.pdf`).replace(/['()*]/g, percent)
  return [
    'Content-Type',
    'application/pdf',
    'Content-Disposition',
    `inline; filename="cv.pdf"; filename*=UTF-8''${name}`,
  ]
}
