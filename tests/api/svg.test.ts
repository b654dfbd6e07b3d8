import { globSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { Problem } from '#server/problem.ts'
import { cleanSvg } from '#server/images/svg.ts'
import { growsLinearly } from '#tests/support/linear.ts'

const box = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">'
const shape = '<rect width="4" height="4"/>'

/** What is left between the root's tags. */
function inside(content: string): string {
  return cleanSvg(`${box}${content}</svg>`).text.replace(/^<svg[^>]*>|<\/svg>$/g, '')
}

/** The code of the refusal, undefined when the drawing is taken. */
function codeOf(source: string): string | undefined {
  try {
    cleanSvg(source)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

describe('what could run, fetch or embed is left out', () => {
  const kept = '<rect width="4" height="4"></rect>'
  test.each([
    ['a script', '<script>alert(1)</script>'],
    [
      'a script of another namespace',
      '<x:script xmlns:x="http://www.w3.org/1999/xhtml">a</x:script>',
    ],
    ['a script by prefix', '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'],
    ['a script in CDATA', '<script><![CDATA[alert(1)]]></script>'],
    [
      'a page inside',
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="a"/></body></foreignObject>',
    ],
    ['a shape inside what goes', '<foreignObject><path d="M0 0"/></foreignObject>'],
    ['a picture from elsewhere', '<image href="https://e.example/p.png"/>'],
    ['a picture of this machine', '<image href="file:///etc/passwd"/>'],
    ['a picture in place', '<image href="data:image/svg+xml,&lt;svg onload=alert(1)&gt;"/>'],
    ['an import', '<style>@import url(https://e.example/a.css);</style>'],
    ['an import with a comment', '<style>@im/**/port "//e.example";</style>'],
    [
      'a font from elsewhere',
      '<style>@font-face{font-family:x;src:url(https://e.example/f)}</style>',
    ],
    ['an escaped address', '<style>rect{fill:\\75rl(https://e.example)}</style>'],
    ['a style sheet instruction', '<?xml-stylesheet href="https://e.example/a.css"?>'],
    ['a changed link', '<animate attributeName="href" to="javascript:alert(1)"/>'],
    ['a set attribute', '<set attributeName="onclick" to="alert(1)"/>'],
    ['a comment', '<!-- <script>alert(1)</script> -->'],
    [
      'metadata',
      '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>',
    ],
    ['an effect that fetches', '<feImage href="https://e.example/a.png"/>'],
    ['frames and sounds', '<iframe src="x"/><audio href="x"/><video href="x"/>'],
  ])('%s', (_, content) => {
    const bare = inside(content + shape).replace(/<style><\/style>/, '')
    expect(bare).toBe(kept)
  })

  test.each([
    ['onload="alert(1)"'],
    ['onclick="alert(1)"'],
    ['xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="javascript:alert(1)"'],
    ['href="https://e.example"'],
    ['fill="url(https://e.example/a.svg#x)"'],
    ['fill="url(//e.example/a)"'],
    ['fill="&#117;rl(https://e.example)"'],
    ['filter="url(data:image/svg+xml,x#f)"'],
    ['mask="src(x)"'],
    ['style="fill:url(https://e.example)"'],
    ['style="background:url(https://e.example)"'],
    ['style="fill:image-set(x 1x)"'],
    ['style="fill:red;behavior:url(#x)"', 'style="fill:red"'],
    ['data-x="1"'],
  ])('the attribute %s', (attribute, left = '') => {
    expect(inside(`<rect ${attribute} width="4" height="4"/>`)).toBe(
      `<rect${left && ` ${left}`} width="4" height="4"></rect>`,
    )
  })

  test('links lose their target and keep what they show', () => {
    expect(inside(`<a href="javascript:alert(1)" onclick="x">${shape}</a>`)).toBe(`<g>${kept}</g>`)
  })

  test('use may name only a part of the same drawing', () => {
    expect(inside('<use href="#a"/><use href="other.svg#a"/>')).toBe(
      '<use href="#a"></use><use></use>',
    )
  })

  test('text stays text', () => {
    expect(inside('<text>&lt;script&gt;alert("1")&amp;</text>')).toBe(
      '<text>&lt;script&gt;alert(&quot;1&quot;)&amp;</text>',
    )
  })
})

test('what drawing programs export stays', () => {
  const content =
    '<defs><style>.a{fill:#fff}.b,.c{stroke:url(#g);stroke-width:2px}</style>' +
    '<linearGradient id="g" x2="1" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="red"></stop></linearGradient>' +
    '<clipPath id="k"><path d="M0 0h5v5z"></path></clipPath>' +
    '<filter id="f"><feGaussianBlur stdDeviation="2"></feGaussianBlur></filter></defs>' +
    '<g clip-path="url(#k)" filter="url(#f)" style="mix-blend-mode:multiply"><use href="#k" x="1"></use>' +
    '<text class="a" font-family="Open Sans" x="1"><tspan dy="2">Hola</tspan></text></g>'
  expect(inside(content)).toBe(content.replaceAll("'", '&#39;'))
})

const draw = (svg: string) => sharp(Buffer.from(svg)).raw().toBuffer()

const ours = globSync(['public/sample/*.svg', 'public/placeholder*.svg', 'public/icon.svg'])

test.each(ours)('%s looks the same after cleaning', async (file) => {
  const source = readFileSync(file, 'utf8')
  const { text } = cleanSvg(source)
  expect((await draw(text)).equals(await draw(source))).toBe(true)
})

test('a document type without declarations is left out, one with them refused', () => {
  const drawing = `${box}${shape}</svg>`
  const plain =
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
  expect(cleanSvg(`<?xml version="1.0"?>${plain}${drawing}`).text).toMatch(/^<svg /)
  const laughs = '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
  const outside = '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
  for (const type of [laughs, outside]) expect(codeOf(type + drawing)).toBe('svg-no-admitido')
})

describe('refusals', () => {
  const nested = (depth: number) => '<g>'.repeat(depth) + shape + '</g>'.repeat(depth)
  const level = (i: number) =>
    `<g id="l${i}">${`<use href="#l${i - 1}"/>`.repeat(i === 0 ? 0 : 10)}${shape}</g>`
  const bomb = (levels: number) => Array.from({ length: levels }, (_, i) => level(i)).join('')
  const pattern = `<pattern id="p">${shape.repeat(1000)}</pattern>`
  const drawn = (attributes: string, n = 1000) =>
    `<rect ${attributes} width="9" height="9"/>`.repeat(n)
  const marker = `<marker id="m">${shape.repeat(1000)}</marker>`
  const line = `<path d="M0 0${'h1v1h-1v-1'.repeat(250)}"/>`
  const ruled = ['rect', '*', '.st0', 'g > .x.st0', 'a, svg g rect', '#all'].map(
    (selector): [string, string, string] => [
      `one that a rule for «${selector}» gives to them`,
      `${box}<g id="all">${drawn('class="x st0"')}</g><style>${selector}{fill:url(#p)}</style>${pattern}</svg>`,
      'svg-complejo',
    ],
  )
  test.each([
    ['another document', '<html xmlns="http://www.w3.org/1999/xhtml"/>', 'imagen-no-admitida'],
    ['svg of another namespace', '<svg xmlns="urn:x"/>', 'imagen-no-admitida'],
    ['an unclosed element', `${box}<g>${shape}</svg>`, 'imagen-danada'],
    ['an unknown entity', `${box}<text>&nbsp;</text></svg>`, 'imagen-danada'],
    ['a cut file', `${box}${shape}<path d="M0`, 'imagen-danada'],
    ['two roots', `${box}${shape}</svg><svg/>`, 'imagen-danada'],
    ['a control character', `${box}${shape}\u0001</svg>`, 'imagen-danada'],
    [
      'nothing left to see',
      `${box}<image href="data:image/png;base64,AA"/></svg>`,
      'svg-no-admitido',
    ],
    ['too much text', `${box}${shape}${' '.repeat(1024 * 1024)}</svg>`, 'svg-complejo'],
    ['too many nodes', `${box}${shape.repeat(20_001)}</svg>`, 'svg-complejo'],
    [
      'too many nodes of what goes',
      `${box}${shape}<image>${'<b/>'.repeat(20_001)}</image></svg>`,
      'svg-complejo',
    ],
    ['too deep', `${box}${nested(65)}</svg>`, 'svg-complejo'],
    ['a few lines that unfold to millions', `${box}${bomb(7)}</svg>`, 'svg-complejo'],
    [
      'parts in a circle',
      `${box}<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>`,
      'svg-complejo',
    ],
    [
      'a pattern in each of many shapes',
      `${box}${pattern}${drawn('fill="url(#p)"')}</svg>`,
      'svg-complejo',
    ],
    [
      'one that a group hands on to them',
      `${box}${pattern}<g style="fill:url(#p)">${drawn('')}</g></svg>`,
      'svg-complejo',
    ],
    [
      'one that a use hands on to them',
      `${box}${pattern}<defs><g id="a">${drawn('')}</g></defs><use href="#a" stroke="url(#p)"/></svg>`,
      'svg-complejo',
    ],
    [
      'a marker on each vertex of a path',
      `${box}${marker}<g marker-mid="url(#m)">${line}</g></svg>`,
      'svg-complejo',
    ],
    [
      'one that a rule gives to a polyline',
      `${box}${marker}<style>polyline{marker:url(#m)}</style><polyline points="${'1 2 '.repeat(1000)}"/></svg>`,
      'svg-complejo',
    ],
    [
      'one at the ends of many lines of a path',
      `${box}${marker}<path marker-end="url(#m)" d="${'M0 0h1'.repeat(1000)}"/></svg>`,
      'svg-complejo',
    ],
    [
      'one that holds a path with another on it',
      `${box}<marker id="m">${shape.repeat(100)}</marker><marker id="n" marker-mid="url(#m)">${line}</marker>` +
        `<path marker-mid="url(#n)" d="M0 0${'h1'.repeat(50)}"/></svg>`,
      'svg-complejo',
    ],
    [
      'one on arcs whose flags are written as one number',
      `${box}${marker}<path marker-mid="url(#m)" d="M0 0${'a1 1 0 001 1'.repeat(200)}"/></svg>`,
      'svg-complejo',
    ],
    ...ruled,
    ['a part that holds itself', `${box}<g id="a"><use href="#a"/></g></svg>`, 'svg-complejo'],
  ])('%s', (_, source, code) => {
    expect(codeOf(source)).toBe(code)
  })

  test('what stays within every bound is taken', () => {
    expect(codeOf(`${box}${nested(60)}</svg>`)).toBeUndefined()
    expect(codeOf(`${box}${shape.repeat(19_000)}</svg>`)).toBeUndefined()
    expect(codeOf(`${box}${bomb(3)}</svg>`)).toBeUndefined()
    const gradients = Array.from(
      { length: 60 },
      (_, i) => `<linearGradient id="g${i}"><stop/><stop/><stop/></linearGradient>`,
    )
    const rules = gradients.map((_, i) => `.st${i}{fill:url(#g${i});stroke:url(#g0)}`)
    const painted = gradients.map((_, i) => drawn(`class="st${i}"`, 100))
    const exported = `<style>${rules.join('')}</style>${gradients.join('')}<g>${painted.join('')}</g>`
    expect(codeOf(`${box}${exported}</svg>`)).toBeUndefined()
    const arrow = '<marker id="m"><path d="M0 0L4 2L0 4z"/></marker>'
    const chart = `${arrow}<g marker-end="url(#m)">${line.repeat(100)}</g>`
    expect(codeOf(`${box}${chart}<g marker="url(#m)">${line.repeat(50)}</g></svg>`)).toBeUndefined()
    expect(
      codeOf(`${box}<g fill="url(#g)">${drawn('')}</g>${gradients.join('')}</svg>`),
    ).toBeUndefined()
  })
})

describe('the work is in proportion to the length', () => {
  const groups = Array.from({ length: 60 }, (_, i) => `<g id="g${i}">`).join('')
  test.each([
    [
      'unknown elements in each other',
      (n: number) => `${'<x>'.repeat(n)}${'</x>'.repeat(n)}`,
      4_000,
    ],
    [
      'references in nested parts',
      (n: number) => `${groups}<rect style="${'fill:url(#a);'.repeat(n)}"/>${'</g>'.repeat(60)}`,
      17_000,
    ],
    ['uses', (n: number) => `<g id="a"/>${'<use href="#a"/>'.repeat(n)}`, 4_700],
    [
      'parts of one name',
      (n: number) => '<g id="a"><use href="#b"/></g><g id="b"/>'.repeat(n),
      1_500,
    ],
    ['vertices', (n: number) => `<path marker="url(#a)" d="M0 0${'h1'.repeat(n)}"/>`, 100_000],
    ['broken numbers', (n: number) => `<path marker="url(#a)" d="${'1e'.repeat(n)}"/>`, 100_000],
    ['digits', (n: number) => `<path marker="url(#a)" d="M${'1'.repeat(n)}"/>`, 200_000],
    ['spaces in a reference', (n: number) => `<rect fill="url(${' '.repeat(n)}#a)"/>`, 200_000],
    ['beginnings of references', (n: number) => `<rect fill="${'url( '.repeat(n)}"/>`, 40_000],
    [
      'rules for each of many',
      (n: number) => `<style>${'rect{fill:red}'.repeat(n)}</style>${shape.repeat(n)}`,
      4_000,
    ],
    ['rules', (n: number) => `<style>${'a{fill:red}'.repeat(n)}</style>`, 10_000],
    ['comments in rules', (n: number) => `<style>${'/**/'.repeat(n)}</style>`, 50_000],
    [
      'attributes',
      (n: number) => `<g ${Array.from({ length: n }, (_, i) => `a${i}=""`).join(' ')}/>`,
      // With more of them, memory that no longer fits the processor's costs as much again: growth of seven where all is well.
      5_000,
    ],
  ])('of %s', async (_, content, times) => {
    const run = (n: number) => {
      const source = `${box}${content(n)}${shape}</svg>`
      return () => void codeOf(source)
    }
    expect(await growsLinearly({ none: run(1), short: run(times), long: run(4 * times) })).toBe(
      true,
    )
  })

  test('and the references of a drawing are bounded', () => {
    const drawn = (n: number) => `${box}<rect style="fill:${'url(#a) '.repeat(n)}"/></svg>`
    expect(codeOf(drawn(19_000))).toBeUndefined()
    expect(codeOf(drawn(20_001))).toBe('svg-complejo')
  })
})

describe('the size is the drawing’s own', () => {
  test.each([
    ['width="64" height="32"', [64, 32], '0 0 64 32'],
    ['viewBox="0 0 24 12"', [24, 12], '0 0 24 12'],
    ['viewBox="-2,-2 24.4 12" width="100%" height="100%"', [24, 12], '-2 -2 24.4 12'],
    ['viewBox="0 0 24 12" width="1em" height="auto"', [24, 12], '0 0 24 12'],
    ['viewBox="0 0 200 100" width="50px"', [50, 25], '0 0 200 100'],
    ['viewBox="0 0 200 100" height="50"', [100, 50], '0 0 200 100'],
    ['width="1in" height="2.54cm"', [96, 96], '0 0 96 96'],
    ['width="-5" height="0" viewBox="0 0 7 7"', [7, 7], '0 0 7 7'],
    ['', [300, 150], '0 0 300 150'],
    ['viewBox="0 0 0 0"', [300, 150], '0 0 300 150'],
    ['width="100000" height="50000"', [4096, 2048], '0 0 100000 50000'],
    ['viewBox="0 0 100000 1"', [4096, 1], '0 0 100000 1'],
  ])('%s', (attributes, [width, height], viewBox) => {
    const clean = cleanSvg(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${shape}</svg>`)
    expect([clean.width, clean.height]).toEqual([width, height])
    expect(clean.text).toContain(`viewBox="${viewBox}"`)
    expect(clean.text).toContain(`width="${width}" height="${height}"`)
  })
})
