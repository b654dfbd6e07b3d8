import { minifySync, type Plugin } from 'vite'
import { pageSheets } from '../contract/page-heads.ts'

/* Changes `index.html`, the template that the server draws every page into. */

/** The server takes from the template the sheet of the page it draws; what only a document's own list needs is not in the others. */
export function inlineSheets(): Plugin {
  const blocks = [...pageSheets].map((name) => {
    const files = name.startsWith('list') ? [name, 'list-first'] : [name]
    const imports = files.map((file) => `@import './src/client/styles/${file}.css';`)
    return `<style data-page="${name}">${imports.join('')}</style>`
  })
  return {
    name: 'tintero:page-sheets',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('<!--sheets-->', () => blocks.join('')),
    },
  }
}

/**
 * Moves the stylesheet and the script behind the content, where neither delays the first paint, minifies inline code
 * and names the other hosts that the build was told to call.
 */
export function deferAssets(addresses: readonly string[]): Plugin {
  return {
    name: 'tintero:defer-assets',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        shorten(moveBehindContent(html)).replace(
          '</head>',
          () => `${dnsPrefetch(addresses)}</head>`,
        ),
    },
  }
}

const deferred =
  /\s*(?:<link rel="(?:stylesheet|modulepreload)"[^>]*>|<script type="module"[^>]*><\/script>)/g

function moveBehindContent(html: string): string {
  const tags = (html.match(deferred) ?? [])
    .map((tag) => tag.trim().replace(' crossorigin', ''))
    .map((tag) => tag.replace('<script type="module"', '<script type="module" fetchpriority="low"'))
    // The stylesheet comes first, because a page without JavaScript needs it too.
    .toSorted((a, b) => Number(a.startsWith('<script')) - Number(b.startsWith('<script')))
  return html.replace(deferred, '').replace('</body>', () => `${tags.join('')}</body>`)
}

function shorten(html: string): string {
  return html
    .replace(/<script>([\s\S]*?)<\/script>/g, (_, code: string) => {
      return `<script>${minifySync('inline.js', code, { module: false }).code.trim()}</script>`
    })
    .replace(/<(?:html|meta|link)\b[^>]*>/g, (tag) => tag.replace(/\s+/g, ' ').replace(' />', '>'))
    .replace(/\n\s*/g, '')
}

/** The server's content security policy allows exactly these hosts. */
function dnsPrefetch(addresses: readonly string[]): string {
  const absolute = addresses.filter((url) => /^https?:/.test(url))
  const origins = new Set(absolute.map((url) => new URL(url).origin))
  return [...origins].map((origin) => `<link rel="dns-prefetch" href="${origin}">`).join('')
}
