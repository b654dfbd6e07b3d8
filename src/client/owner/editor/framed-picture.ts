import { useQuery } from '@tanstack/react-query'
import { imageSource, placeholders } from '#contract/images/image.ts'
import type { Section } from '#contract/sections/section.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { crop, hasShape, photoSize, type Framing, type Size } from '#client/browser/crop.ts'

/** A picture of which a part may be cut off. */
interface WholePicture {
  readonly whole: File
  /** Absent for a drawing, of which nothing is cut off. */
  readonly size?: Size | undefined
}

/** A picture that is not uploaded yet. */
export interface FramedPicture extends WholePicture {
  /** What is shown and sent: the whole, or the part that she chose. */
  readonly file: File
  /** Absent as long as she has not chosen a part. */
  readonly framing?: Framing | undefined
}

/** The kind that pictures are stored in, and that no picture is sent in. */
const storedType = 'image/webp'

/** A picture with nothing cut off. */
export async function wholePicture(whole: File): Promise<FramedPicture> {
  return { whole, size: await photoSize(whole), file: whole }
}

/** A picture cut as she chose; undefined for a stored one that cannot be cut here. */
export async function framePicture(
  whole: File,
  framing: Framing,
): Promise<FramedPicture | undefined> {
  const cut = await crop(whole, framing)
  if (!cut && whole.type === storedType) return undefined
  return { ...(await wholePicture(whole)), file: cut ?? whole, framing }
}

/** Width over height of the place of a section's pictures; undefined where they are shown whole. */
export function frameOf({ display }: Section): number | undefined {
  if (display.kind !== 'card' || display.layout !== 'grid') return undefined
  const { width = 1, height = 1 } = imageSource(placeholders.card)
  return width / height
}

/**
 * The stored picture at an address as long as a part of it can be cut off for a place of this shape; undefined until the
 * whole of it is here, and where it is nowhere to be had.
 */
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

/** Whether an address of our own tells of a photograph of another shape. */
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
    // Without a connection the device may have a smaller one in its place: a part of that is not to replace the whole.
    return size && size.width === imageSource(address).width ? { whole, size } : null
  } catch {
    return null // there is no connection, and the form goes on without cutting
  }
}
