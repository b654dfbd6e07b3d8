/** In pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Which part of a picture is kept where it is not as wide or as high as its place. */
export interface Framing {
  /** Width over height of the place. */
  readonly ratio: number
  /** From 0, the left or upper edge, to 1, the other. */
  readonly at: number
}

/** The kinds that are sent as they are; whatever else is cut becomes one of them. */
const sent: readonly string[] = ['image/jpeg', 'image/png']

/** How large a photograph is; undefined for a drawing, which fits every place, and for what cannot be read. */
export async function photoSize(file: File): Promise<Size | undefined> {
  if (file.type === 'image/svg+xml') return undefined
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return undefined
  const { width, height } = bitmap
  bitmap.close()
  return { width, height }
}

/** Whether a picture has the shape of its place, so that nothing of it can be cut off. */
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

/** Cuts a photograph to the shape of its place; undefined for one that has that shape, and for what cannot be cut. */
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

/** A photograph weighs least as a JPEG, in which nothing can be seen through. */
function plainTypeOf(canvas: HTMLCanvasElement): string {
  const { width, height } = canvas
  const { data = [] } = canvas.getContext('2d')?.getImageData(0, 0, width, height) ?? {}
  for (let alpha = 3; alpha < data.length; alpha += 4) {
    if ((data[alpha] ?? 255) < 255) return 'image/png'
  }
  return 'image/jpeg'
}
