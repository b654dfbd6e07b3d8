interface Size {
  readonly width: number
  readonly height: number
}

type Attributes = Readonly<Record<string, string>>

const pixelsPer: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
}
const largestSide = 4096
/** Browsers give this size to a drawing that tells neither its size nor its shape. */
const unknownSize: Size = { width: 300, height: 150 }

/** The four numbers of a `viewBox`; without one, derived from the size in pixels. */
export function viewBoxOf(attributes: Attributes): readonly number[] {
  const { width, height } = exactSize(attributes)
  return givenViewBox(attributes) ?? [0, 0, width, height]
}

/** In whole pixels: from `width` and `height`, a missing one from the `viewBox`; at most 4096 a side. */
export function intrinsicSize(attributes: Attributes): Size {
  const { width, height } = exactSize(attributes)
  const scale = Math.min(1, largestSide / Math.max(width, height))
  const whole = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: whole(width), height: whole(height) }
}

function exactSize(attributes: Attributes): Size {
  const [, , boxWidth = unknownSize.width, boxHeight = unknownSize.height] =
    givenViewBox(attributes) ?? []
  const width = pixelsOf(attributes['width'])
  const height = pixelsOf(attributes['height'])
  const ratio = boxWidth / boxHeight
  return {
    width: width ?? (height === undefined ? boxWidth : height * ratio),
    height: height ?? (width === undefined ? boxHeight : width / ratio),
  }
}

function givenViewBox(attributes: Attributes): readonly number[] | undefined {
  const numbers = (attributes['viewBox'] ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const [, , width = 0, height = 0] = numbers
  return numbers.length === 4 && numbers.every(Number.isFinite) && width > 0 && height > 0
    ? numbers
    : undefined
}

function pixelsOf(length: string | undefined): number | undefined {
  const [, number, unit = ''] = /^\s*\+?(\d+(?:\.\d*)?|\.\d+)([a-z]*)\s*$/.exec(length ?? '') ?? []
  const pixels = Number(number) * (pixelsPer[unit] ?? NaN)
  return pixels > 0 && Number.isFinite(pixels) ? pixels : undefined
}
