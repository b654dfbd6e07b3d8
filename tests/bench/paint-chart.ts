interface Row {
  readonly visit: 'first' | 'again' | 'cold' | 'offline'
  readonly page: string
  readonly 'by hand, ms': number
  readonly 'first paint, ms': number
  readonly ratio: number
}

const titles = {
  first: 'First visit',
  again: 'Next visit',
  cold: 'Next visit, the worker asleep',
  offline: 'Without a connection, beside the hand-written page with one',
} satisfies Record<Row['visit'], string>

/** In pixels of the drawing. */
const width = 760
const label = 110
const figures = 140
const line = 30
const bar = 10
const head = 46

const style = `
text { font: 13px system-ui, sans-serif; fill: #25323c }
.title { font-weight: 650 }
.quiet { fill: #5d6b76 }
.hand { fill: #aab6bf }
.product { fill: #0b7f70 }
@media (prefers-color-scheme: dark) {
  text { fill: #e3eaef }
  .quiet { fill: #93a3af }
  .hand { fill: #5b6a76 }
  .product { fill: #7ce8d5 }
}`

/** The first paints of each page as an SVG drawing: a pair of bars, by hand and the product's, for each kind of visit. */
export function paintChart(rows: readonly Row[]): string {
  const longest = Math.max(...rows.flatMap((row) => [row['by hand, ms'], row['first paint, ms']]))
  const perMs = (width - label - figures) / longest
  const visits = [...new Set(rows.map(({ visit }) => visit))]
  let top = 40
  const parts = visits.map((visit) => {
    const own = rows.filter((row) => row.visit === visit)
    const bars = own.map((row, index) => pairOf(row, top + head + index * line, perMs))
    const title = text(0, top + 24, titles[visit], 'title')
    top += head + own.length * line
    return [title, ...bars].join('\n')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top}" role="img">
<title>First paint of each page, by hand and by Tintero</title>
<style>${style}
</style>
<rect class="hand" y="6" width="14" height="${bar}"/>${text(20, 16, 'the same page written by hand')}
<rect class="product" x="250" y="6" width="14" height="${bar}"/>${text(270, 16, 'Tintero')}
${parts.join('\n')}
</svg>
`
}

function pairOf(row: Row, top: number, perMs: number): string {
  const [hand, product] = [row['by hand, ms'], row['first paint, ms']]
  const words = `${product} ms · ${row.ratio.toFixed(2)} ×`
  return [
    text(0, top + 14, row.page),
    `<rect class="hand" x="${label}" y="${top}" width="${Math.round(hand * perMs)}" height="${bar}" rx="2"/>`,
    `<rect class="product" x="${label}" y="${top + bar + 1}" width="${Math.round(product * perMs)}" height="${bar}" rx="2"/>`,
    text(label + Math.round(Math.max(hand, product) * perMs) + 8, top + 15, words, 'quiet'),
  ].join('')
}

function text(x: number, y: number, words: string, className?: string): string {
  const its = className === undefined ? '' : ` class="${className}"`
  return `<text${its} x="${x}" y="${y}">${words}</text>`
}
