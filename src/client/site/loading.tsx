import type { ReactNode } from 'react'
import { texts } from '#contract/texts/site.ts'

/** Painted only after a moment, so that a short wait does not flicker. */
export function Loading({ children }: { readonly children?: ReactNode }) {
  return (
    <div className="boot" role="status">
      <span className="spin" />
      <p>{texts.loading}</p>
      {children}
    </div>
  )
}
