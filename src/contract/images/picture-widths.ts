import { smallerWidths } from './image.ts'

/** The paths of every width of the stored picture at a path, largest first; empty when the path is none of ours. */
export function pictureVariants(pathname: string): readonly string[] {
  const [, base, size] = /^(.+)\.(\d{1,5}x\d{1,5})(?:-\d+)?\.webp$/.exec(pathname) ?? []
  if (base === undefined || size === undefined) return []
  const width = Number.parseInt(size, 10)
  const small = smallerWidths(width).toReversed()
  return ['', ...small.map((n) => `-${n}`)].map((suffix) => `${base}.${size}${suffix}.webp`)
}

/** Wide enough for a phone's whole screen; kept for reading without a connection, where any width serves. */
const keptWidth = 640

/** The address of the picture's width that a device keeps ahead of need. */
export function keptPicture(address: string): string {
  const variants = pictureVariants(address)
  return variants.find((variant) => variant.endsWith(`-${keptWidth}.webp`)) ?? address
}
