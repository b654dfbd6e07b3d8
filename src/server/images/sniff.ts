/** The picture formats taken in. */
export type ImageKind = 'jpeg' | 'png' | 'svg'

/** What the sender says of a file; both may be missing. */
interface Claims {
  readonly declaredType?: string | undefined
  readonly fileName?: string | undefined
}

const claimsOf: Readonly<Record<ImageKind, { types: readonly string[]; ending: RegExp }>> = {
  jpeg: { types: ['image/jpeg', 'image/jpg'], ending: /\.jpe?g$/i },
  png: { types: ['image/png'], ending: /\.png$/i },
  svg: { types: ['image/svg+xml'], ending: /\.svg$/i },
}

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const jpegSignature = [0xff, 0xd8, 0xff]
const svgStart = /^\ufeff?\s*<(?:\?xml\s|!--|!DOCTYPE\s+svg\b|(?:[\w-]+:)?svg[\s/>])/i

/** The format by the first bytes alone, undefined for anything not taken in. */
export function sniffKind(bytes: Uint8Array): ImageKind | undefined {
  const startsWith = (signature: readonly number[]) =>
    signature.every((byte, i) => bytes[i] === byte)
  if (startsWith(pngSignature)) return 'png'
  if (startsWith(jpegSignature)) return 'jpeg'
  return svgStart.test(new TextDecoder().decode(bytes.subarray(0, 1024))) ? 'svg' : undefined
}

/** Whether the declared type and the file's ending, as far as they are told, name the format the bytes have. */
export function agrees(kind: ImageKind, { declaredType, fileName }: Claims): boolean {
  const type = declaredType?.split(';')[0]?.trim().toLowerCase()
  const { types, ending } = claimsOf[kind]
  return (!type || types.includes(type)) && (!fileName || ending.test(fileName))
}
