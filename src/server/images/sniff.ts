export type ImageKind = 'jpeg' | 'png' | 'svg'

/** The sender's statements about a file; both may be missing. */
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

/** Judges by the first bytes alone; undefined for a format that is not taken. */
export function sniffKind(bytes: Uint8Array): ImageKind | undefined {
  const startsWith = (signature: readonly number[]) =>
    signature.every((byte, i) => bytes[i] === byte)
  if (startsWith(pngSignature)) return 'png'
  if (startsWith(jpegSignature)) return 'jpeg'
  return svgStart.test(new TextDecoder().decode(bytes.subarray(0, 1024))) ? 'svg' : undefined
}

/** Whether the declared type and the file's ending, where given, agree with the bytes. */
export function agrees(kind: ImageKind, { declaredType, fileName }: Claims): boolean {
  const type = declaredType?.split(';')[0]?.trim().toLowerCase()
  const { types, ending } = claimsOf[kind]
  return (!type || types.includes(type)) && (!fileName || ending.test(fileName))
}
