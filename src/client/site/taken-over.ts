import { useEffect } from 'react'

let tell: () => void

/**
 * Resolves once React has hydrated the page's content, after the frame around it. A change of state before then has the
 * whole page drawn anew, which loses the focus and the text that are in it.
 */
export const takenOver = new Promise<void>((resolve) => (tell = resolve))

/** Used by the frame around a page's content, or by a page that stands alone. */
export function useTakenOver(): void {
  useEffect(() => tell(), [])
}
