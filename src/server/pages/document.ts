import type { SiteData } from '#contract/api.ts'
import { shellPath } from '#contract/offline/kept-page.ts'
import { contactNotices } from '#contract/messages/contact.ts'
import { loginTexts } from '#contract/access/login.ts'
import { headOfPage, missingSheet } from '#contract/page-heads.ts'
import { pageAt, type PostedForm } from '#contract/pages.ts'
import { settingsOf } from '#contract/settings/settings.ts'
import type { CvPdf } from '../resume/cv-pdf.ts'
import { headOf, linkedDataBlock, shellHead } from './head.ts'
import { isHiddenPage } from './hidden.ts'
import type { Template } from './template.ts'

/** The client's own code, built for the server. */
export type Render = (request: {
  readonly url: string
  readonly data: SiteData
  readonly address: string
  readonly posted?: PostedForm
}) => Promise<{ readonly status: number; readonly app: string; readonly state: string }>

/** Under development it is new for every page. */
export interface PageRenderer {
  readonly template: Template
  readonly render: Render
}

export interface DocumentOptions {
  drawing(): PageRenderer | Promise<PageRenderer>
  readonly publicUrl: string
  /** Draws the CV as a file; without it there is no such file. */
  readonly drawCv?: CvPdf | undefined
}

export const loginPath = '/login'
export const sentContactUrl = '/contact?enviado=1'
export const unsentLoginUrl = `${loginPath}?sin-enviar=1`

/** The address that stands for every missing page. */
export const missing = '/404'

/** The results of posted forms, by the address of the page that shows them. */
export const postedForms: Readonly<Record<string, PostedForm>> = {
  [sentContactUrl]: { values: {}, errors: {}, outcome: 'sent', notice: contactNotices.sent },
  [unsentLoginUrl]: { values: {}, errors: {}, outcome: 'failed', notice: loginTexts.unsent },
}

export interface Drawn {
  readonly key: string
  readonly data: SiteData
  readonly posted?: PostedForm
}

/** A hidden section has the address of a missing page. */
function pathOf({ key, data }: Drawn): string {
  return isHiddenPage(key, data) ? missing : key.replace(/\?.*$/, '')
}

/** Undefined for a page without a style sheet of its own. */
export function sheetOf(page: Drawn): string | undefined {
  const found = pageAt(pathOf(page))
  return found ? headOfPage(found).sheet : missingSheet
}

/** For the site as visitors get it. */
export async function drawHtml(options: DocumentOptions, page: Drawn): Promise<string> {
  const { key, data } = page
  const path = pathOf(page)
  const { template, render } = await options.drawing()
  const found = pageAt(path)
  const sheet = sheetOf(page)
  const theme = settingsOf(data.settings).default_theme
  const { publicUrl } = options
  const hasPdf = options.drawCv !== undefined
  const head = key === shellPath ? shellHead(data) : headOf({ path, data, publicUrl })
  // The owner's pages depend on her session, which only the browser knows.
  if (key === shellPath || found?.kind === 'owner') {
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
  // For its owner the browser draws the list of a hidden section.
  const start = isHiddenPage(key, data) ? 'now' : found?.kind === 'form' ? 'painted' : undefined
  const facts = linkedDataBlock({ path, data, publicUrl })
  return template.complete({ sheet, theme, head, start, app, facts, state, hasPdf })
}
