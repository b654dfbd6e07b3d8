import { isHarmless, isPaint } from './svg-allowed.ts'

const selector = /^[\w\s.#,*>-]+$/

type Declaration = readonly [property: string, value: string]

/** Keeps only declarations that paint, such as `fill:#fff;stroke:url(#a)`. */
export function cleanDeclarations(css: string): string {
  return declarationsIn(css)
    .filter(([property, value]) => isPaint(property) && isHarmless(value))
    .map(([property, value]) => `${property}:${value}`)
    .join(';')
}

/** The declarations of a text, such as an attribute `style`. */
export function declarationsIn(css: string): readonly Declaration[] {
  return css.split(';').map((declaration) => {
    const colon = declaration.indexOf(':')
    return [declaration.slice(0, Math.max(0, colon)).trim(), declaration.slice(colon + 1).trim()]
  })
}

/**
 * What the rules of a cleaned style sheet declare that names another part, by one thing that each element that is meant has: its id (`#a`), a class
 * (`.a`) or its name, and `*`. Of longer selectors that may be more elements than are meant.
 */
export function declaredIn(sheet: string): ReadonlyMap<string, readonly Declaration[]> {
  const found = new Map<string, Declaration[]>()
  for (const [names = '', body = ''] of sheet.split('}').map((rule) => rule.split('{'))) {
    const declarations = declarationsIn(body).filter(([, value]) => /url\(/i.test(value))
    for (const name of names.split(',')) {
      const parts = subject.exec(name)?.[0].match(having) ?? []
      const sure = ['#', '.', ''].flatMap((sign) => parts.find((one) => one.startsWith(sign)) ?? [])
      const known = found.get(sure[0] ?? '*')
      if (known) known.push(...declarations)
      else found.set(sure[0] ?? '*', [...declarations])
    }
  }
  return found
}

/** What stands last in a selector says which elements are meant. */
const subject = /[^\s>]+$/
const having = /[#.]?[\w-]+|\*/g

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
