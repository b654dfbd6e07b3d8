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
    return this.#document
      .font(file ?? `${face}0`)
      .fontSize(size)
      .widthOfString(text)
  }

  /** Sets a text on a line. */
  set(line: string, style: Style, x: number, baseline: number): void {
    const document = this.#document
    let at = x
    for (const run of this.#runs(line, style)) {
      const width = this.#widthOf(run, style)
      document.fillColor(style.colour)
      // What no font has is an empty box on paper, and itself for whoever reads the text.
      if (!run.file) document.markContent('Span', { actual: run.text })
      document.text(run.text, at, baseline, { lineBreak: false, baseline: 'alphabetic' })
      if (!run.file) document.endMarkedContent()
      at += width
    }
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
        const { font } = this.#document.font(face + i)._font
        return font.hasGlyphForCodePoint(code)
      })
      this.#files.set(key, found < 0 ? undefined : face + found)
    }
    return this.#files.get(key)
  }
}

/** A text as one line, its letters composed as fonts have them. */
function cleaned(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
