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
  /** Makes ready the letters of a title, so that its first visitor does not wait for them. */
  prepare(title: string): Promise<void>
}
