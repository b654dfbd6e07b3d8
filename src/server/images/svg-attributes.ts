import type { SaxesTagNS } from 'saxes'
import { escapeHtml } from '../edge/escape.ts'
import { isAttributeAllowed } from './svg-allowed.ts'
import { intrinsicSize, viewBoxOf } from './svg-size.ts'
import { cleanDeclarations } from './svg-style.ts'

export const svgNamespace = 'http://www.w3.org/2000/svg'

export type Attributes = Readonly<Record<string, string>>

/** What may stay of a tag's attributes, without prefixes. */
export function cleanAttributes(element: string, tag: SaxesTagNS): Attributes {
  const kept: Record<string, string> = {}
  for (const { local, prefix, value } of Object.values(tag.attributes)) {
    const isHref = local === 'href' && (prefix === '' || prefix === 'xlink')
    if (!isHref && prefix !== '') continue
    const written = local === 'style' ? cleanDeclarations(value) : value
    if (written !== '' && isAttributeAllowed(element, local, written)) kept[local] = written
  }
  return kept
}

/** The root's attributes, with its size in pixels and its coordinates whatever units it came with. */
export function rootAttributes(attributes: Attributes): Attributes {
  const { width, height } = intrinsicSize(attributes)
  const own = {
    xmlns: svgNamespace,
    viewBox: viewBoxOf(attributes).join(' '),
    width: String(width),
    height: String(height),
  }
  // Named twice: once for the first place, once to win.
  return { ...own, ...attributes, ...own }
}

/** The attributes as they stand in a tag, a space before each. */
export function attributesText(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')
}
