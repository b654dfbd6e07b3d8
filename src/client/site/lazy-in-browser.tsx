import { ClientOnly } from '@tanstack/react-router'
import { Suspense, type ComponentType } from 'react'
import { part } from '#client/data/part.ts'

/** A part that only the browser draws, once its code has come: kept apart from what the first paint needs. */
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
