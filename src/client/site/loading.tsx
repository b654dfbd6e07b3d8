import type { ReactNode } from 'react'
import { texts } from '#contract/texts/site.ts'

/** The full-screen wait for the profile, or for a page only the owner's browser can draw; painted after a moment. */
export function Loading({ children }: { readonly children?: ReactNode }) {
  return (
    <div className="boot" role="status">
      <span className="spin" />
      <p>{texts.loading}</p>
      {children}
    </div>
  )
}
