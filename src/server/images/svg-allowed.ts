/*
 * An uploaded drawing may keep shapes, text, paint and the effects that drawing programs export. Anything that can run,
 * fetch, embed or follow a link is not listed here, and what is not listed is left out.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Elements that show something by themselves; a drawing without any is refused. */
export const shapes = words('path rect circle ellipse line polyline polygon text use')

const elements = words(`
  svg g defs symbol switch style tspan textPath
  linearGradient radialGradient stop pattern clipPath mask marker filter
  feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
  feGaussianBlur feMerge feMergeNode feMorphology feOffset
`)

const paint = words(`
  clip-path clip-rule color color-interpolation color-interpolation-filters display fill fill-opacity fill-rule filter
  flood-color flood-opacity font-family font-size font-style font-weight isolation letter-spacing marker marker-end
  marker-mid marker-start mask mask-type mix-blend-mode opacity overflow paint-order shape-rendering stop-color
  stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-opacity stroke-width text-anchor text-rendering transform transform-origin dominant-baseline vector-effect
  visibility word-spacing enable-background
`)

/** What an element hands on to those inside it, and to what it uses: it paints them, or stands on their lines. */
const inherited = new Map<string, 'nodes' | 'ends' | 'vertices'>([
  ['fill', 'nodes'],
  ['stroke', 'nodes'],
  ['marker-start', 'ends'],
  ['marker-end', 'ends'],
  ['marker-mid', 'vertices'],
  ['marker', 'vertices'],
])

const geometry = words(`
  id class style d points x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy rotate width height viewBox
  preserveAspectRatio pathLength offset gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits
  patternTransform clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient
  filterUnits primitiveUnits in in2 result mode type values tableValues slope intercept amplitude exponent operator
  k1 k2 k3 k4 stdDeviation radius edgeMode startOffset textLength lengthAdjust
`)

/** Elements whose `href` may name another part of the same drawing. */
const referrers = words('use textPath linearGradient radialGradient pattern')
const localReference = /^#[\w.:-]+$/
const localPaint = /url\(\s*(["']?)#[\w.:-]+\1\s*\)/gi
const reaching =
  /[\\<@]|(?:url|src|image|image-set|cross-fade|element|expression|attr|env|var|paint)\s*\(|:\/\/|javascript:|data:/i

/** Whether an element may stay in a drawing; everything that can run or fetch may not. */
export function isElementAllowed(name: string): boolean {
  return elements.has(name) || shapes.has(name)
}

/** Whether a property only says how something is painted. */
export function isPaint(property: string): boolean {
  return paint.has(property)
}

/** What of an element, and of all that it holds, is painted by what the property names; undefined where it is not handed on. */
export function paintedBy(property: string): 'nodes' | 'ends' | 'vertices' | undefined {
  return inherited.get(property)
}

/** The attribute `style` is checked by its declarations instead. */
export function isAttributeAllowed(element: string, name: string, value: string): boolean {
  if (name === 'href') return referrers.has(element) && localReference.test(value)
  return (geometry.has(name) || paint.has(name)) && isHarmless(value)
}

/** Whether the value names no address but parts of the same drawing. */
export function isHarmless(value: string): boolean {
  return !reaching.test(value.replace(localPaint, ''))
}

/** The ids that the value refers to in the same drawing. */
export function referencesIn(name: string, value: string): readonly string[] {
  if (name === 'href') return [value.slice(1)]
  return [...value.matchAll(localPaint)].map(([match]) => match.replace(/^.*#|["'\s)]+$/gs, ''))
}
