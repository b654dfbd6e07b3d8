/** In pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

export interface Framing {
  /** Width over height of the place. */
  readonly ratio: number
  /** From 0, the left or upper edge, to 1, the other. */
  readonly at: number
}

/** These kinds are sent as they are; any other that is cut becomes one of them. */
const sent: readonly string[] = ['image/jpeg', 'image/png']

/** In pixels; undefined for a drawing, which fits every place, and for a file that cannot be read. */
export async function photoSize(file: File): Promise<Size | undefined> {
  if (file.type === 'image/svg+xml') return undefined
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return undefined
  const { width, height } = bitmap
  bitmap.close()
  return { width, height }
}

/** Whether cutting to the ratio would take less than two pixels off. */
export function hasShape(size: Size, ratio: number): boolean {
  const kept = keptOf(size, ratio)
  return size.width - kept.width < 2 && size.height - kept.height < 2
}

function keptOf({ width, height }: Size, ratio: number): Size {
  return {
    width: Math.round(Math.min(width, height * ratio)),
    height: Math.round(Math.min(height, width / ratio)),
  }
}

/** Undefined for a photograph that already has the shape of its place, and for a file that cannot be cut. */
export async function crop(file: File, { ratio, at }: Framing): Promise<File | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return undefined
  const { width, height } = bitmap
  const canvas = document.createElement('canvas')
  Object.assign(canvas, keptOf(bitmap, ratio))
  const left = Math.round((width - canvas.width) * at)
  const top = Math.round((height - canvas.height) * at)
  canvas.getContext('2d')?.drawImage(bitmap, -left, -top)
  bitmap.close()
  if (hasShape({ width, height }, ratio)) return undefined
  const type = sent.includes(file.type) ? file.type : plainTypeOf(canvas)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9))
  if (blob === null) return undefined
  const ending = type === 'image/png' ? '.png' : '.jpg'
  const name = type === file.type ? file.name : file.name + ending
  return new File([blob], name, { type })
}

/** Prefers JPEG, which weighs least; a picture that can be seen through needs PNG. */
function plainTypeOf(canvas: HTMLCanvasElement): string {
  const { width, height } = canvas
  const { data = [] } = canvas.getContext('2d')?.getImageData(0, 0, width, height) ?? {}
  for (let alpha = 3; alpha < data.length; alpha += 4) {
    if ((data[alpha] ?? 255) < 255) return 'image/png'
  }
  return 'image/jpeg'
}
