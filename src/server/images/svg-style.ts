import { isHarmless, isPaint } from './svg-allowed.ts'

const selector = /^[\w\s.#,*>-]+$/

/** Keeps only declarations that paint, such as `fill:#fff;stroke:url(#a)`. */
export function cleanDeclarations(css: string): string {
  return css
    .split(';')
    .map((declaration) => {
      const colon = declaration.indexOf(':')
      const property = declaration.slice(0, Math.max(0, colon)).trim()
      const value = declaration.slice(colon + 1).trim()
      return isPaint(property) && isHarmless(value) ? `${property}:${value}` : ''
    })
    .filter(Boolean)
    .join(';')
}

/** Keeps only rules with plain selectors and painting declarations; at-rules are left out. */
export function cleanStyleSheet(css: string): string {
  return withoutComments(css)
    .split('}')
    .map((rule) => {
      const parts = rule.split('{')
      const [names = '', body = ''] = parts.map((part) => part.trim())
      const declarations = parts.length === 2 && selector.test(names) ? cleanDeclarations(body) : ''
      return declarations && `${names}{${declarations}}`
    })
    .join('')
}

function withoutComments(css: string): string {
  const [head = '', ...comments] = css.split('/*')
  return head + comments.map((comment) => comment.split('*/').slice(1).join('*/')).join('')
}
