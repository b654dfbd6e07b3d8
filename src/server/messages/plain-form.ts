import { contactFields, contactNotices, contactTexts } from '#contract/messages/contact.ts'
import type { Field, FieldValues } from '#contract/fields.ts'
import { problems, type ProblemCode } from '#contract/problem.ts'
import { errorPageTexts } from '#contract/texts/error-page.ts'
import { texts } from '#contract/texts/site.ts'
import { escapeHtml } from '../edge/escape.ts'
import { contactPath, markForm } from '../pages/form-mark.ts'

/** The typed fields, and the mark of their page. */
export interface SentForm {
  readonly values: FieldValues
  readonly mark: string
}

/** The sentences of these faults say what to do next; of any other the log tells. */
const explained = new Set<ProblemCode>(['no-disponible', 'sin-espacio'])

/**
 * The contact form where its page cannot be drawn, or not now: without it the text would be nowhere but behind the browser's
 * way back. Written out by hand, so that it costs next to nothing and nothing it could wait for.
 */
export function plainForm(styles: string, { values, mark }: SentForm, code: ProblemCode): string {
  const html = drawPage(styles, [
    `<form class="card form" method="post" action="${contactPath}">${drawAlert(code)}`,
    ...Object.entries<Field>(contactFields).map(([name, field]) =>
      drawField(name, field, values[name] ?? ''),
    ),
    `<button class="btn" type="submit">${escapeHtml(contactTexts.submit)}</button></form>`,
  ])
  return markForm(html, mark)
}

/** Without a code, the page for a sender who was too slow. */
export type UnreadContact = (code?: ProblemCode) => string

/**
 * A form refused before its body is read has no text to return, so each reason's page is drawn once and costs no more
 * than sending.
 */
export function createUnreadContact(styles: string): UnreadContact {
  const drawn = new Map<ProblemCode | undefined, string>()
  return (code) => {
    const page = drawn.get(code) ?? drawUnread(styles, code)
    drawn.set(code, page)
    return page
  }
}

function drawUnread(styles: string, code: ProblemCode | undefined): string {
  return drawPage(styles, [
    `<div class="card form">${drawAlert(code)}<p>${escapeHtml(errorPageTexts.formStays)}</p></div>`,
  ])
}

function drawPage(styles: string, letters: readonly string[]): string {
  const title = escapeHtml(contactTexts.title)
  return [
    '<!doctype html><html lang="es" data-theme="dark"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="robots" content="noindex"><title>${title}</title>${styles}</head>`,
    `<body><main class="wrap contact"><div class="intro"><h1>${title}</h1>`,
    `<p class="lead">${escapeHtml(contactTexts.lead)}</p></div>`,
    `<div class="letters">${letters.join('')}</div>`,
    `<p class="ways"><a class="link" href="/">${escapeHtml(texts.backHome)}</a></p>`,
    '</main></body></html>',
  ].join('')
}

function drawAlert(code: ProblemCode | undefined): string {
  const isExplained = code && (problems[code][0] < 500 || explained.has(code))
  const notice = isExplained ? problems[code][2] : contactNotices.failed
  return `<div class="alert bad-tone" role="alert"><p>${escapeHtml(notice)}</p></div>`
}

function drawField(name: string, { label, kind, autocomplete }: Field, value: string): string {
  const [id, typed] = [`contact-${name}`, escapeHtml(value)]
  const known = autocomplete === undefined ? '' : ` autocomplete="${autocomplete}"`
  const own = `id="${id}" name="${name}"${known}`
  const control =
    kind === 'paragraph'
      ? // Browsers leave the first line break out.
        `<textarea ${own} rows="8">\n${typed}</textarea>`
      : `<input ${own} type="${kind === 'email' ? 'email' : 'text'}" value="${typed}">`
  return `<div class="field"><label for="${id}">${escapeHtml(label)}</label>${control}</div>`
}
