import { Problem } from '../problem.ts'
import { renderPhoto } from './photo.ts'
import type { ImageKind } from './sniff.ts'
import { cleanSvg } from './svg.ts'

/** The full file has no width of its own. */
export interface RenderedFile {
  readonly width?: number
  readonly bytes: Uint8Array
}

/** The full file comes first, then the smaller ones in the order of `smallerWidths`. */
export interface Rendering {
  readonly size: { readonly width: number; readonly height: number }
  readonly ending: 'webp' | 'svg'
  readonly files: readonly RenderedFile[]
}

/** Throws `Problem` when the upload is broken, too large in pixels or an unsafe drawing. */
export async function renderImage(kind: ImageKind, bytes: Uint8Array): Promise<Rendering> {
  if (kind !== 'svg') return renderPhoto(bytes)
  const { text, width, height } = cleanSvg(decodeText(bytes))
  return { size: { width, height }, ending: 'svg', files: [{ bytes: Buffer.from(text) }] }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Problem('imagen-danada', { cause })
  }
}
