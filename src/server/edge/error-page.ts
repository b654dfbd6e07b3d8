import { errorPageTexts } from '#contract/texts/error-page.ts'
import { texts } from '#contract/texts/site.ts'
import { escapeHtml } from './escape.ts'

/** Replaces a page that could not be drawn: it holds no script, only the template's styles. */
export function errorPage(styles: string): string {
  const [title, hint, reload, home] = [
    texts.broken,
    `${errorPageTexts.logged} ${texts.brokenHint}`,
    texts.reload,
    texts.backHome,
  ].map(escapeHtml)
  return [
    '<!doctype html><html lang="es" data-theme="dark"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="robots" content="noindex"><title>${title}</title>${styles}</head>`,
    `<body><main class="not-found"><h1>${title}</h1><p>${hint}</p>`,
    `<a href="">${reload}</a><a href="/">${home}</a></main></body></html>`,
  ].join('')
}
