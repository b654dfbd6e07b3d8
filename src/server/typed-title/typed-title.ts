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
export interface TitlePictures {
  /** The drawing that is in memory. */
  kept(drawing: TitleDrawing): Promise<string> | undefined
  /** The drawing; the same one again comes from memory. Throws 503 when too many wait, never for the site's own title. */
  svg(drawing: TitleDrawing, isOwn: boolean): Promise<string>
}

export function createTypedTitle(): TitlePictures {
  const recent = createRecent<string>(100)
  const fontFor = createTitleFont()
  return {
    kept: (drawing) => recent.kept(JSON.stringify(drawing)),
    svg: (drawing, isOwn) =>
      recent(JSON.stringify(drawing), async () =>
        drawTitle(drawing, await fontFor(drawing.lines.join(''), isOwn)),
      ),
  }
}
