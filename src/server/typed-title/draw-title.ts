import { lengthOf } from '#contract/text.ts'
import { titleBox, titleMetrics } from '#contract/typed-title.ts'
import { escapeHtml } from '../edge/escape.ts'
import type { TitleDrawing } from './typed-title.ts'

const startS = 0.3
const columnsPerSecond = 14
/** One blink of the caret, six times: in the rhythm of a text field's. */
const blink = 'b 1.06s steps(1)'
const keyframes =
  '@keyframes t{from{clip-path:inset(-20% 100% -20% 0)}to{clip-path:inset(-20% 0 -20% 0)}}' +
  '@keyframes m{from{transform:translateX(var(--x))}}' +
  '@keyframes b{50%{opacity:0}}@keyframes v{from,to{opacity:1}}@keyframes z{from,to{opacity:0}}' +
  '@media(prefers-reduced-motion:reduce){text,.c{animation:none!important}}'

interface Line {
  readonly text: string
  readonly index: number
  readonly isLast: boolean
  /** When its typing begins and how long it takes, in seconds. */
  readonly begins: number
  readonly lasts: number
  readonly left: number
  readonly top: number
}

/** The SVG of a title that types itself with CSS alone; `font` is the base64 of a WOFF2 that has its letters. */
export function drawTitle(drawing: TitleDrawing, font: string): string {
  const { width, height, letterPx, color } = drawing
  const lines = layOut(drawing)
  const face = `@font-face{font-family:t;src:url(data:font/woff2;base64,${font})}`
  const letters = `text{font:500 ${letterPx}px t,ui-monospace,monospace;white-space:pre}`
  const rules = lines.map((line) => motionOf(line, letterPx)).join('')
  const body = lines.map((line) => shapesOf(line, letterPx)).join('')
  const label = escapeHtml(drawing.lines.join(' '))
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"` +
    ` role="img" aria-label="${label}"><style>${face}${letters}text,.c{fill:#${color}}${rules}${keyframes}</style>${body}</svg>`
  )
}

/** Each line's place and moment: they are typed one after the other, the block in the middle of the picture's height. */
function layOut({ lines, letterPx, width, height, centered, pauseMs }: TitleDrawing): Line[] {
  const box = titleBox(lines, letterPx)
  let begins = startS
  return lines.map((text, index) => {
    const own = titleBox([text], letterPx)
    const line: Line = {
      text,
      index,
      isLast: index === lines.length - 1,
      begins,
      lasts: lengthOf(text) / columnsPerSecond,
      left: centered ? Math.max(0, (width - own.width) / 2) : 0,
      top: Math.max(0, (height - box.height) / 2) + index * titleMetrics.lineHeight * letterPx,
    }
    begins += line.lasts + pauseMs / 1000
    return line
  })
}

/** The letters come in steps and the caret walks with them; after the last line it blinks and stays. */
function motionOf({ text, index, isLast, begins, lasts }: Line, letterPx: number): string {
  const steps = `${short(lasts)}s steps(${lengthOf(text)}) ${short(begins)}s both`
  const back = short(-lengthOf(text) * titleMetrics.advance * letterPx)
  const hidden = index > 0 ? `z ${short(begins)}s,` : ''
  const after = isLast
    ? `${hidden}${blink} ${short(begins + lasts)}s 6`
    : `v ${short(lasts)}s ${short(begins)}s`
  const rest = isLast ? '' : 'opacity:0;'
  return `.l${index}{animation:t ${steps}}.c${index}{--x:${back}px;${rest}animation:m ${steps},${after}}`
}

/** One line of letters, as wide as the metrics say even if another font must stand in, and its caret. */
function shapesOf({ text, index, left, top }: Line, letterPx: number): string {
  const length = lengthOf(text) * titleMetrics.advance * letterPx
  const place = left === 0 ? '' : ` x="${short(left)}"`
  const caretLeft = short(left + length + 0.14 * letterPx)
  return (
    `<text class="l${index}"${place} y="${short(top + 1.02 * letterPx)}" textLength="${short(length)}">${escapeHtml(text)}</text>` +
    `<rect class="c c${index}" x="${caretLeft}" y="${short(top + 0.2 * letterPx)}" width="${short(0.5 * letterPx)}" height="${short(0.98 * letterPx)}"/>`
  )
}

function short(value: number): number {
  return Number(value.toFixed(2))
}
