import type PDFFile from 'pdfkit'

/** Faces by name, each with the files that hold its letters, the most usual first. */
export type Faces = Readonly<Record<'text' | 'strong' | 'mono', readonly Uint8Array[]>>

/** How a text is set; sizes in points. */
export interface Style {
  readonly face: keyof Faces
  readonly size: number
  readonly leading: number
  readonly colour: string
}

/** A part of a text in one file of a face; without a file, none has these letters. */
interface Run {
  readonly text: string
  readonly file: string | undefined
}

const setting = { lineBreak: false, baseline: 'alphabetic' } as const

/** Measures and sets texts in the letters that the faces have. */
export class Lettering {
  readonly #document: PDFFile
  readonly #faces: Faces
  readonly #files = new Map<string, string | undefined>()

  constructor(document: PDFFile, faces: Faces) {
    this.#document = document
    this.#faces = faces
    for (const [face, files] of Object.entries(faces)) {
      for (const [i, bytes] of files.entries()) document.registerFont(face + i, bytes)
    }
  }

  /** The text in lines of at most so many points; a word that is longer is broken. */
  lines(text: string, style: Style, width: number): readonly string[] {
    const lines: string[] = []
    let line = ''
    let taken = 0
    const space = this.width(' ', style)
    for (const word of cleaned(text)
      .split(' ')
      .flatMap((one) => this.#broken(one, style, width))) {
      const own = this.width(word, style)
      if (line !== '' && taken + own > width) {
        lines.push(line)
        line = ''
        taken = 0
      }
      // The space stays at the line's end, so that what is read aloud has it too.
      line += `${word} `
      taken += own + space
    }
    return line.trim() === '' ? lines : [...lines, line.trimEnd()]
  }

  #broken(word: string, style: Style, width: number): readonly string[] {
    if (this.width(word, style) <= width) return [word]
    const parts: string[] = []
    let part = ''
    let taken = 0
    for (const letter of word) {
      const own = this.width(letter, style)
      if (part !== '' && taken + own > width) {
        parts.push(part)
        part = ''
        taken = 0
      }
      part += letter
      taken += own
    }
    return [...parts, part]
  }

  /** How wide the text is in points. */
  width(text: string, style: Style): number {
    let sum = 0
    for (const run of this.#runs(text, style)) sum += this.#widthOf(run, style)
    return sum
  }

  #widthOf({ text, file }: Run, { face, size }: Style): number {
    if (file !== undefined) return this.#open(file).fontSize(size).widthOfString(text)
    return this.#open(`${face}0`).fontSize(size).widthOfString(standInFor(text))
  }

  /** Sets a text on a line. */
  set(line: string, style: Style, x: number, baseline: number): void {
    const document = this.#document
    let at = x
    for (const run of this.#runs(line, style)) {
      const width = this.#widthOf(run, style)
      document.fillColor(style.colour)
      if (run.file === undefined) this.#setStandIn(run.text, style.face, { x: at, baseline })
      else document.text(run.text, at, baseline, setting)
      at += width
    }
  }

  /**
   * What no font has is itself for whoever reads the text, and something else on paper: a font's own box, the glyph for what
   * it lacks, may not be referred to in an accessible document (ISO 14289-1, 7.21.8).
   */
  #setStandIn(
    text: string,
    face: Style['face'],
    { x, baseline }: { readonly x: number; readonly baseline: number },
  ): void {
    const document = this.#open(`${face}0`)
    document.markContent('Span', { actual: text })
    document.text(standInFor(text), x, baseline, setting)
    document.endMarkedContent()
  }

  /** Goes on in a file of a face. */
  #open(file: string): PDFFile {
    this.#document.font(file)
    // oxlint-disable-next-line no-underscore-dangle -- the library has no other way to it
    const { unicode } = this.#document._font
    // No letter leads to the glyph for what a font lacks; the library says that it means U+0000, which stands for nothing.
    unicode[0] = [0xfffd]
    return this.#document
  }

  #runs(text: string, { face }: Style): readonly Run[] {
    const runs: { text: string; file: string | undefined }[] = []
    for (const letter of text) {
      const file = this.#fileOf(letter, face)
      const last = runs.at(-1)
      if (last && last.file === file) last.text += letter
      else runs.push({ text: letter, file })
    }
    return runs
  }

  #fileOf(letter: string, face: keyof Faces): string | undefined {
    const key = face + letter
    if (!this.#files.has(key)) {
      const code = letter.codePointAt(0) ?? 0
      const found = this.#faces[face].findIndex((_, i) => {
        // oxlint-disable-next-line no-underscore-dangle -- the library tells it nowhere else
        const { font } = this.#open(face + i)._font
        return font.hasGlyphForCodePoint(code)
      })
      this.#files.set(key, found < 0 ? undefined : face + found)
    }
    return this.#files.get(key)
  }
}

/** Words in letters that no font has leave three dots; a picture, such as an emoji, its place; a mark that is never seen, nothing. */
function standInFor(text: string): string {
  if (/[\p{L}\p{N}]/u.test(text)) return '…'
  return /^\p{Default_Ignorable_Code_Point}*$/u.test(text) ? '' : ' '
}

/** A text as one line, its letters composed as fonts have them. */
function cleaned(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
