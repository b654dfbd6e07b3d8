import { Suspense, useEffect } from 'react'

/** Resolves `takenOver`, which nothing of a page that failed does by itself. */
export let sayTakenOver: () => void

/**
 * Resolves once React has hydrated the page's content, after the frame around it. A change of state before then has what
 * is not hydrated yet drawn anew, which loses the focus and the text that are in it.
 */
export const takenOver = new Promise<void>((resolve) => (sayTakenOver = resolve))

/**
 * Stands at the end of the frame around a page's content. React hydrates what is inside a Suspense last, all of it that a
 * frame has together: as a part of that, this comes no sooner than a list.
 */
export function TakenOver() {
  return (
    <Suspense>
      <Sayer />
    </Suspense>
  )
}

function Sayer() {
  useEffect(sayTakenOver, [])
  return null
}
