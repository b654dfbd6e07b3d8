import { SaxesParser, type SaxesTagNS } from 'saxes'
import { escapeHtml } from '../edge/escape.ts'
import { Problem } from '../problem.ts'
import {
  isAttributeAllowed,
  isElementAllowed,
  paintedBy,
  referencesIn,
  shapes,
} from './svg-allowed.ts'
import { intrinsicSize, viewBoxOf } from './svg-size.ts'
import { cleanDeclarations, cleanStyleSheet, declarationsIn, declaredIn } from './svg-style.ts'
import { verticesOf } from './svg-vertices.ts'
import { createWeight } from './svg-weight.ts'

const maxCharacters = 1024 * 1024
const maxDepth = 64
const maxNodes = 20_000
/** The references of all elements together, since each is looked up. */
const maxReferences = 20_000
const maxUnfoldedNodes = 200_000
const svgNamespace = 'http://www.w3.org/2000/svg'
const textElements = ['text', 'tspan', 'textPath']

interface CleanSvg {
  readonly text: string
  readonly width: number
  readonly height: number
}

/**
 * Builds the drawing anew from allowed parts, with its intrinsic size. Throws `Problem`: not a drawing, broken XML, a
 * document type with declarations, too complex, or nothing left to see.
 */
export function cleanSvg(source: string): CleanSvg {
  if (source.length > maxCharacters) throw new Problem('svg-complejo')
  const writer = createWriter()
  const parser = new SaxesParser({ xmlns: true, position: false })
  parser.on('error', (cause) => {
    throw new Problem('imagen-danada', { cause })
  })
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) throw new Problem('svg-no-admitido')
  })
  parser.on('opentag', writer.open)
  parser.on('closetag', writer.close)
  parser.on('text', writer.text)
  parser.on('cdata', writer.text)
  parser.write(source).close()
  return writer.finish()
}

/** Writes what is allowed; `skipped` is the depth inside an element that is not. */
function createWriter() {
  const out: string[] = []
  const open: string[] = []
  /** The elements in the order in which they begin, and undefined where one ends. */
  const elements: ({ readonly name: string; readonly attributes: Attributes } | undefined)[] = []
  const sheets: string[] = []
  let size = { width: 0, height: 0 }
  let nodes = 0
  let skipped = 0
  /** Once all rules are known, wherever they stand. */
  const weigh = (): number => {
    const weight = createWeight()
    const declared = declaredIn(sheets.join(''))
    let referred = 0
    for (const element of elements) {
      if (!element) {
        weight.close()
        continue
      }
      const { id, class: classes = '', style = '', ...attributes } = element.attributes
      const names = classes.split(/\s+/).map((one) => `.${one}`)
      const references: string[] = []
      const paints = { nodes: [] as string[], ends: [] as string[], vertices: [] as string[] }
      for (const [property, value] of [
        ...Object.entries(attributes),
        ...declarationsIn(style),
        ...['*', element.name, `#${id}`, ...names].flatMap((name) => declared.get(name) ?? []),
      ]) {
        const found = referencesIn(property, value)
        referred += found.length
        if (referred > maxReferences) throw new Problem('svg-complejo')
        const painted = paintedBy(property)
        if (painted) paints[painted].push(...found)
        else references.push(...found)
      }
      const { ends, all: vertices } = verticesOf(element.name, attributes)
      weight.open({ id, references, paints, ends, vertices })
    }
    return weight.total()
  }

  return {
    open: (tag: SaxesTagNS) => {
      // Skipped elements count too: the parser searches all open elements for a prefix.
      if (++nodes > maxNodes || open.length + skipped > maxDepth) throw new Problem('svg-complejo')
      const isRoot = open.length === 0
      if (isRoot && !(tag.local === 'svg' && isDrawing(tag))) {
        throw new Problem('imagen-no-admitida')
      }
      const name = tag.local === 'a' ? 'g' : tag.local
      if (skipped > 0 || !isDrawing(tag) || !isElementAllowed(name)) {
        skipped++
        return
      }
      const attributes = cleanAttributes(name, tag)
      if (isRoot) size = intrinsicSize(attributes)
      out.push(`<${name}${attributesText(isRoot ? rootAttributes(attributes) : attributes)}>`)
      open.push(name)
      elements.push({ name, attributes })
    },
    close: () => {
      if (skipped > 0) {
        skipped--
        return
      }
      elements.push(undefined)
      out.push(`</${open.pop()}>`)
    },
    text: (text: string) => {
      const parent = skipped > 0 ? '' : (open.at(-1) ?? '')
      if (parent === 'style') {
        const sheet = cleanStyleSheet(text)
        sheets.push(sheet)
        out.push(escapeHtml(sheet))
      } else if (textElements.includes(parent)) out.push(escapeHtml(text))
    },
    finish: (): CleanSvg => {
      if (!out.some(isShape)) throw new Problem('svg-no-admitido')
      if (weigh() > maxUnfoldedNodes) throw new Problem('svg-complejo')
      return { text: out.join(''), ...size }
    },
  }
}

/** A drawing without a namespace counts as SVG. */
function isDrawing({ uri }: SaxesTagNS): boolean {
  return uri === svgNamespace || uri === ''
}

function isShape(written: string): boolean {
  return shapes.has(/^<(\w+)/.exec(written)?.[1] ?? '')
}

type Attributes = Readonly<Record<string, string>>

/** Returns the allowed attributes, without prefixes. */
function cleanAttributes(element: string, tag: SaxesTagNS): Attributes {
  const kept: Record<string, string> = {}
  for (const { local, prefix, value } of Object.values(tag.attributes)) {
    const isHref = local === 'href' && (prefix === '' || prefix === 'xlink')
    if (!isHref && prefix !== '') continue
    const written = local === 'style' ? cleanDeclarations(value) : value
    if (written !== '' && isAttributeAllowed(element, local, written)) kept[local] = written
  }
  return kept
}

/** Gives the root its size in pixels and its coordinates, whatever units it came with. */
function rootAttributes(attributes: Attributes): Attributes {
  const { width, height } = intrinsicSize(attributes)
  const own = {
    xmlns: svgNamespace,
    viewBox: viewBoxOf(attributes).join(' '),
    width: String(width),
    height: String(height),
  }
  // The own attributes come twice: once for the first place, once to win.
  return { ...own, ...attributes, ...own }
}

/** With a space before each. */
function attributesText(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')
}
