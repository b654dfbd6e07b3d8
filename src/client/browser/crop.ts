/** Which part of a picture is kept where it is not as wide or as high as its place. */
export interface Framing {
  /** Width over height of the place. */
  readonly ratio: number
  /** From 0, the left or upper edge, to 1, the other. */
  readonly at: number
}

/** Cuts a photograph to the shape of its place; undefined for one that has that shape, and for what cannot be cut. */
export async function crop(file: File, { ratio, at }: Framing): Promise<File | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return undefined
  const { width, height } = bitmap
  const kept = { width: Math.min(width, height * ratio), height: Math.min(height, width / ratio) }
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(kept.width)
  canvas.height = Math.round(kept.height)
  const left = Math.round((width - canvas.width) * at)
  const top = Math.round((height - canvas.height) * at)
  canvas.getContext('2d')?.drawImage(bitmap, -left, -top)
  bitmap.close()
  const isWhole = width - canvas.width < 2 && height - canvas.height < 2
  if (isWhole) return undefined
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, file.type, 0.9))
  return blob === null ? undefined : new File([blob], file.name, { type: file.type })
}
