import { imageWidths } from '../limits.ts'

/** What an `<img>` needs; `srcset`, `width` and `height` are absent when the address does not tell them. */
export interface ImageSource {
  readonly src: string
  readonly srcSet?: string
  readonly width?: number
  readonly height?: number
}

const sized = /^(.+)\.(\d{1,5})x(\d{1,5})\.(webp|svg)$/

/** The file name of one width of a stored picture: the largest has no suffix. */
export function imageFileName(
  hash: string,
  size: { readonly width: number; readonly height: number },
  ending: 'webp' | 'svg',
  width?: number,
): string {
  return `${hash}.${size.width}x${size.height}${width === undefined ? '' : `-${width}`}.${ending}`
}

/** The widths kept beside the full picture of this width. */
export function smallerWidths(width: number): readonly number[] {
  return imageWidths.filter((candidate) => candidate < width)
}

/** The picture at an address; our own addresses (`….640x480.webp`) carry their size, so nothing shifts while loading. */
export function imageSource(address: string): ImageSource {
  const [, base, w, h, ending] = sized.exec(address) ?? []
  if (base === undefined) return { src: address }
  const width = Number(w)
  const height = Number(h)
  if (ending === 'svg') return { src: address, width, height }
  const small = smallerWidths(width).map((n) => `${base}.${w}x${h}-${n}.webp ${n}w`)
  return { src: address, srcSet: [...small, `${address} ${width}w`].join(', '), width, height }
}

export const placeholders = {
  card: '/placeholder.760x440.svg',
  logo: '/placeholder-logo.120x120.svg',
  person: '/placeholder-person.640x800.svg',
} as const

/** The policy of vector pictures: opened on their own they are documents, in which nothing may run or load. */
export const inertPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
