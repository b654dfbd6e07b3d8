import { ClientOnly } from '@tanstack/react-router'
import { Suspense, type ComponentType } from 'react'
import { part } from '#client/data/part.ts'

/** Keeps a part's code apart from what the first paint needs; the server draws nothing in its place. */
export function lazyInBrowser<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Part = part(load)
  return (props: Props) => (
    <ClientOnly>
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    </ClientOnly>
  )
}
