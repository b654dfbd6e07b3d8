declare module 'subset-font' {
  /** A font with only the letters of the text; the package brings no types. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      readonly targetFormat: 'woff2' | 'truetype'
      /** Texts of the font that stay in it, beside those that name it. */
      readonly preserveNameIds?: readonly number[]
      /** What it can do beside showing letters, such as kerning; all of it, unless they are named. */
      readonly keepFeatures?: readonly string[]
      readonly variationAxes?: Readonly<Record<string, number>>
    },
  ): Promise<Uint8Array>
}
