import { buffer } from 'node:stream/consumers'
import PDFFile, { type Structure } from 'pdfkit'
import { escapeHtml } from '../edge/escape.ts'
import type { LinkedText } from './cv-content.ts'
import { Lettering, type Faces, type Style } from './lettering.ts'

const mm = 72 / 25.4
const [top, side] = [13 * mm, 15 * mm]

/** A text, and what it is. */
interface Told {
  readonly as: 'H1' | 'H2' | 'H3' | 'P'
  readonly text: string
}

interface Place {
  readonly x: number
  readonly width: number
}

/** The library writes the names of the document into XML as they stand. */
class Titled extends PDFFile {
  override endMetadata(): void {
    for (const [name, value] of Object.entries(this.info)) {
      if (typeof value === 'string') this.info[name] = escapeHtml(value)
    }
    super.endMetadata()
  }
}

interface SheetOptions {
  readonly title: string
  readonly author: string
  readonly lang: string
  readonly date: Date
  readonly faces: Faces
}

/** A document that grows downwards from page to page, each text of it told to whoever reads it aloud. */
export class CvSheet {
  readonly document: PDFFile
  readonly #root: Structure
  readonly lettering: Lettering
  readonly left = side
  readonly right: number
  readonly #bottom: number
  y = top

  constructor({ title, author, lang, date, faces }: SheetOptions) {
    this.document = new Titled({
      size: 'A4',
      margin: 0,
      pdfVersion: '1.7',
      subset: 'PDF/UA',
      lang,
      tagged: true,
      displayTitle: true,
      font: null,
      info: { Title: title, Author: author, Creator: 'Tintero', CreationDate: date, ModDate: date },
    })
    const { width, height } = this.document.page
    this.right = width - side
    this.#bottom = height - top
    this.lettering = new Lettering(this.document, faces)
    this.#root = this.document.struct('Document')
    this.document.addStructure(this.#root)
  }

  /** Begins a part of the document; what it returns is the parent of what belongs to it, and is ended by whoever asked. */
  part(): Structure {
    return this.#within(this.#root, 'Sect')
  }

  /** Goes to the next page unless there is so much room. */
  need(height: number): void {
    if (this.y + height > this.#bottom && this.y > top) this.#turn()
  }

  /** Draws what says nothing, such as a line. */
  decorate(draw: () => void): void {
    this.document.markContent('Artifact', { type: 'Layout' })
    draw()
    this.document.endMarkedContent()
  }

  /** A picture at a place of the page, told by its words. */
  picture(
    bytes: Uint8Array,
    alt: string,
    { x, y, size }: { x: number; y: number; size: number },
  ): void {
    const bbox = [x, y, x + size, y + size]
    const figure = this.document.struct('Figure', { alt, bbox })
    this.#root.add(figure)
    figure.add(() => {
      this.document
        .save()
        .roundedRect(x, y, size, size, 4 * mm)
        .clip()
      this.document.image(bytes, x, y, { width: size, height: size }).restore()
    })
    figure.end()
  }

  /** A text in lines below each other, over as many pages as it takes. */
  text(parent: Structure, { as, text }: Told, style: Style, place = this.#whole): void {
    const element = this.#within(parent, as)
    let rest = this.lettering.lines(text, style, place.width)
    while (rest.length > 0) {
      this.need(style.leading)
      const room = Math.max(1, Math.floor((this.#bottom - this.y) / style.leading))
      const now = rest.slice(0, room)
      rest = rest.slice(room)
      element.add(() => {
        for (const line of now) {
          this.#draw(line, style, place.x)
          this.y += style.leading
        }
      })
    }
    element.end()
  }

  /** A text on the line that ends where the page stands, set in its style, without moving on. */
  behind(
    parent: Structure,
    text: string,
    style: Style,
    { x, line }: { readonly x: number; readonly line: Style },
  ): void {
    const element = this.#within(parent, 'P')
    const baseline = this.y + (0.7 * line.size - line.leading) / 2
    element.add(() => this.lettering.set(text, style, x, baseline))
    element.end()
  }

  /** Texts behind each other, parted by dots; those that lead somewhere are links. */
  pieces(
    parent: Structure,
    pieces: readonly LinkedText[],
    style: Style,
    place = this.#whole,
  ): void {
    const element = this.#within(parent, 'P')
    const dot = ' · '
    const dotWidth = this.lettering.width(dot, style)
    let x = place.x
    this.need(style.leading)
    for (const [i, { text, href }] of pieces.entries()) {
      const isFirst = x === place.x
      const room = place.x + place.width - x - (isFirst ? 0 : dotWidth)
      if (!isFirst && this.lettering.width(text, style) > room) {
        this.y += style.leading
        this.need(style.leading)
        x = place.x
      }
      if (i > 0 && x > place.x) {
        element.add(() => this.#draw(dot, style, x))
        x += dotWidth
      }
      const lines = this.lettering.lines(text, style, place.width)
      for (const [n, line] of lines.entries()) {
        if (n > 0) {
          this.y += style.leading
          this.need(style.leading)
          x = place.x
        }
        this.#piece(element, { line, text, href }, style, x)
        x += this.lettering.width(line, style)
      }
    }
    this.y += style.leading
    element.end()
  }

  #piece(
    parent: Structure,
    {
      line,
      text,
      href,
    }: { readonly line: string; readonly text: string; readonly href: string | undefined },
    style: Style,
    x: number,
  ): void {
    if (href === undefined) {
      parent.add(() => this.#draw(line, style, x))
      return
    }
    const link = this.#within(parent, 'Link')
    link.add(() => this.#draw(line, style, x))
    const width = this.lettering.width(line, style)
    this.document.link(x, this.y, width, style.leading, href, {
      structParent: link,
      // Only what is an object is written as a text.
      Contents: Object(text) as object,
    })
    // It remembers the page it ends on.
    link.end()
  }

  /** Draws a line whose upper edge is where the page stands. */
  #draw(line: string, style: Style, x: number): void {
    this.lettering.set(line, style, x, this.y + (style.leading + 0.7 * style.size) / 2)
  }

  get #whole(): Place {
    return { x: this.left, width: this.right - this.left }
  }

  #within(parent: Structure, type: string): Structure {
    const element = this.document.struct(type)
    parent.add(element)
    return element
  }

  #turn(): void {
    this.document.addPage()
    this.y = top
  }

  /** The file. */
  async bytes(): Promise<Uint8Array> {
    this.#root.end()
    this.document.end()
    return buffer(this.document)
  }
}
