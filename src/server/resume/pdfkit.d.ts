/* oxlint-disable max-params -- they are the library's */
declare module 'pdfkit' {
  /** Something of the tree that says what is a heading, what a paragraph; a function draws what belongs to it. */
  interface Structure {
    add(child: Structure | (() => void)): Structure
    end(): void
  }
  interface FileOptions {
    readonly name: string
    readonly type: string
    readonly description: string
    readonly relationship: string
    readonly creationDate: Date
    readonly modifiedDate: Date
  }
  interface DocumentOptions {
    readonly size: 'A4'
    readonly margin: number
    readonly pdfVersion: '1.7'
    readonly subset: 'PDF/UA'
    readonly lang: string
    readonly tagged: boolean
    readonly displayTitle: boolean
    readonly info: Readonly<Record<string, string | Date>>
    readonly font: null
  }
  /** What the CV needs of the library, which brings no types. */
  export default class PDFDocument implements AsyncIterable<Uint8Array> {
    constructor(options: DocumentOptions)
    readonly info: Record<string, string | Date>
    readonly page: { readonly width: number; readonly height: number }
    readonly _font: {
      readonly font: { hasGlyphForCodePoint(codePoint: number): boolean }
      /** The characters that each glyph of the subset stands for. */
      readonly unicode: (readonly number[])[]
    };
    [Symbol.asyncIterator](): AsyncIterator<Uint8Array>
    addPage(): this
    registerFont(name: string, bytes: Uint8Array): this
    font(name: string): this
    fontSize(size: number): this
    fillColor(colour: string): this
    widthOfString(text: string): number
    text(
      text: string,
      x: number,
      y: number,
      options: {
        readonly lineBreak: false
        readonly baseline: 'alphabetic'
      },
    ): this
    link(
      x: number,
      y: number,
      width: number,
      height: number,
      url: string,
      options: { readonly structParent: Structure; readonly Contents: string | object },
    ): this
    image(
      bytes: Uint8Array | ArrayBuffer,
      x: number,
      y: number,
      options: { readonly width: number; readonly height: number },
    ): this
    save(): this
    restore(): this
    roundedRect(x: number, y: number, width: number, height: number, radius: number): this
    rect(x: number, y: number, width: number, height: number): this
    clip(): this
    fill(colour: string): this
    file(bytes: Uint8Array, options: FileOptions): unknown
    struct(
      type: string,
      options?: { readonly alt?: string; readonly bbox?: readonly number[] },
    ): Structure
    addStructure(structure: Structure): this
    markContent(tag: string, options: Readonly<Record<string, string>>): this
    endMarkedContent(): this
    endMetadata(): void
    end(): void
  }
}
