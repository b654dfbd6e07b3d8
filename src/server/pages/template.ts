import { headerId } from '#contract/pages.ts'
import { contactSheet, missingSheet } from '#contract/page-heads.ts'

/** What a page puts into the template. */
interface Filling {
  /** Whose style sheet goes into the document, beside the one all pages share. */
  readonly sheet: string | undefined
  /** The theme of whoever has not chosen one. */
  readonly theme: string
  readonly head: string
  /** Whether the CV is there as a file, which the pages that lead to it are told by their sheets. */
  readonly hasPdf: boolean
  /** When the browser starts the application by itself: at once where there is nothing to see without, or once the page is painted. */
  readonly start: 'now' | 'painted' | undefined
  /** The drawn page; empty when the browser draws it. */
  readonly app: string
  /** What only programs read of the page, as markup. */
  readonly facts: string
  /** The JSON the browser starts from; empty when it asks the API. */
  readonly state: string
}

/** The built `index.html`, ready to be filled. */
export interface Template {
  /** The whole document. */
  complete(filling: Filling): string
  /** The inline style sheets of the page that says that there is none, for pages that must not run code. */
  readonly styles: string
  /** The same with those of the contact form. */
  readonly formStyles: string
}

/**
 * A phone pauses behind the style sheets, and would lay out and draw an empty page before it reads on. A page without the bar
 * must not name it: nothing of it would be painted before its last byte.
 */
const waitForHeader = `<link rel="expect" href="#${headerId}" blocking="render">`

const root = '<html lang="es" data-theme="dark">'
const places = ['<!--head-->', '<!--app-->', '<!--state-->'] as const

/** Cuts the template at its places. Throws when one is missing. */
export function parseTemplate(html: string): Template {
  const parts = cut(html)
  const stylesWith = (sheet: string) =>
    (withSheet(html, sheet).match(/<style[\s\S]*?<\/style>/g) ?? []).join('')
  return {
    complete: ({ sheet, theme, hasPdf, start, head, app, facts, state }) => {
      const now = (hasPdf ? ' data-pdf' : '') + (start ? ` data-start="${start}"` : '')
      const block =
        state === '' ? '' : `<script id="state" type="application/json">${state}</script>`
      const [before, ...after] = parts
      const opened = before.replace(root, () => `<html lang="es" data-theme="${theme}"${now}>`)
      const body = [app, after[1], facts, block, after[2]]
      const paint = app.includes(`<header id="${headerId}"`) ? waitForHeader : ''
      return [opened, head, paint, withSheet(after[0], sheet), ...body].join('')
    },
    styles: stylesWith(missingSheet),
    formStyles: stylesWith(contactSheet),
  }
}

/** The markup without the style sheets of other pages. */
export function withSheet(html: string, sheet: string | undefined): string {
  return html.replace(/<style data-page="([^"]*)">[\s\S]*?<\/style>/g, (block, owner: string) =>
    owner === sheet ? block : '',
  )
}

function cut(html: string): readonly [string, string, string, string] {
  for (const place of [root, ...places]) {
    if (!html.includes(place)) throw new Error(`the page template has no ${place}`)
  }
  const [before = '', head = ''] = html.split(places[0])
  const [middle = '', app = ''] = head.split(places[1])
  const [between = '', end = ''] = app.split(places[2])
  return [before, middle, between, end]
}
