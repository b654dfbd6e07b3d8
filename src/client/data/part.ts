import { lazy, type ComponentType, type ReactNode } from 'react'
import { logProblem } from '#client/browser/early/log.ts'

/**
 * A part whose code comes with its first use. Without a connection it may not be on this device yet: then the page goes on
 * without it, showing what stands inside.
 */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load().catch(missing<Props>) }))
}

function missing<Props extends object>(cause: unknown): ComponentType<Props> {
  logProblem('A part is missing', cause)
  return (props: Props & { readonly children?: ReactNode }) => props.children
}
