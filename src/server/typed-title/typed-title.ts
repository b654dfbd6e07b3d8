import { drawTitle } from './draw-title.ts'
import { createRecent } from './recent.ts'
import { createTitleFont } from './title-font.ts'

/** What is drawn: the lines as they stand, in letters of this size. */
export interface TitleDrawing {
  readonly lines: readonly string[]
  /** Six hexadecimal digits. */
  readonly color: string
  readonly letterPx: number
  readonly width: number
  readonly height: number
  readonly centered: boolean
  /** Wait between two lines, in milliseconds. */
  readonly pauseMs: number
}

/** Draws titles that type themselves, as self-contained SVG. */
export interface TypedTitle {
  /** The drawing; the same one again comes from memory. */
  svg(drawing: TitleDrawing): Promise<string>
}

export function createTypedTitle(): TypedTitle {
  const recent = createRecent<string>(100)
  const fontFor = createTitleFont()
  return {
    svg: (drawing) =>
      recent(JSON.stringify(drawing), async () =>
        drawTitle(drawing, await fontFor(drawing.lines.join(''))),
      ),
  }
}
