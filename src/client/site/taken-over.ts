import { useEffect } from 'react'

let tell: () => void

/**
 * Resolves once React has taken over the page that the server drew, which it does after the frame around it. Whatever changes
 * before has all of the page drawn anew, without the focus and the text that are in it.
 */
export const takenOver = new Promise<void>((resolve) => (tell = resolve))

/** Says that the page is taken over; for what stands around the content of a page, or for a page that stands alone. */
export function useTakenOver(): void {
  useEffect(() => tell(), [])
}
