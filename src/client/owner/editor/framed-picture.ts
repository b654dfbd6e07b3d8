import { useQuery } from '@tanstack/react-query'
import { imageSource, placeholders } from '#contract/images/image.ts'
import type { Section } from '#contract/sections/section.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { crop, hasShape, photoSize, type Framing, type Size } from '#client/browser/crop.ts'

interface WholePicture {
  readonly whole: File
  /** In pixels; absent for a drawing, which is never cut. */
  readonly size?: Size | undefined
}

export interface FramedPicture extends WholePicture {
  /** The file that is shown and sent: the whole, or the chosen part. */
  readonly file: File
  /** Absent until a part is chosen. */
  readonly framing?: Framing | undefined
}

/** Pictures are stored in this type, and none is sent in it. */
const storedType = 'image/webp'

/** A chosen picture with its size in pixels, all of it shown. */
export async function wholePicture(whole: File): Promise<FramedPicture> {
  return { whole, size: await photoSize(whole), file: whole }
}

/** Undefined for a stored picture that cannot be cut here. */
export async function framePicture(
  whole: File,
  framing: Framing,
): Promise<FramedPicture | undefined> {
  const cut = await crop(whole, framing)
  if (!cut && whole.type === storedType) return undefined
  return { ...(await wholePicture(whole)), file: cut ?? whole, framing }
}

/** Width over height of the section's pictures; undefined where they are shown whole. */
export function frameOf({ display }: Section): number | undefined {
  if (display.kind !== 'card' || display.layout !== 'grid') return undefined
  const { width = 1, height = 1 } = imageSource(placeholders.card)
  return width / height
}

/** Undefined until the whole picture is loaded, and where it cannot be cut for a place of this shape or be loaded. */
export function useStoredPicture(
  address: string,
  frame: number | undefined,
): WholePicture | undefined {
  const { data } = useQuery({
    queryKey: ['stored-picture', address],
    queryFn: () => readStored(address),
    enabled: frame !== undefined && isPhotoFor(address, frame),
    refetchOnWindowFocus: false,
    refetchOnReconnect: ({ state }) => !state.data && 'always',
    gcTime: 0,
  })
  return data ?? undefined
}

/** Whether the address is the site's own and names a photograph of another shape. */
function isPhotoFor(address: string, frame: number): boolean {
  const { width, height } = imageSource(address)
  const isOurs = address.startsWith('/') && address.endsWith('.webp')
  return (
    isOurs && width !== undefined && height !== undefined && !hasShape({ width, height }, frame)
  )
}

async function readStored(address: string): Promise<WholePicture | null> {
  try {
    const answer = await fetch(address)
    if (!answer.ok) return null
    const whole = new File([await answer.blob()], ownerTexts.framing, { type: storedType })
    const size = await photoSize(whole)
    // Without a connection the device may answer with a smaller copy; a part of that must not replace the whole.
    return size && size.width === imageSource(address).width ? { whole, size } : null
  } catch {
    return null // there is no connection, and the form goes on without cutting
  }
}
