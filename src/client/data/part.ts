import { createElement, lazy, type ComponentType, type ReactNode } from 'react'
import { logProblem } from '#client/browser/early/log.ts'
import { createStore, useStore } from '#client/ui/store.ts'

type Ask = () => Promise<void>

const none: readonly Ask[] = []

/** What did not come to this page: how to ask for each of it again. */
export const missingParts = createStore(none)

/**
 * A part whose code comes with its first use. Without a connection it may not be on this device yet: then the page goes on
 * without it, showing what stands inside, until it was asked for again and came.
 */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({
    default: await load().catch((cause: unknown) => latePart(load, cause)),
  }))
}

/** Has something that did not come asked for again, after pauses and with a connection, until it has come. */
export function askAgain(ask: Ask): void {
  const again = async () => {
    await ask()
    missingParts.set(missingParts.get().filter((one) => one !== again))
  }
  missingParts.set([...missingParts.get(), again])
}

function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  cause: unknown,
): ComponentType<Props> {
  logProblem('A part is missing', cause)
  let found: ComponentType<Props> | undefined
  askAgain(async () => {
    found = await load()
  })
  return (props: Props & { readonly children?: ReactNode }) => {
    useStore(missingParts, none)
    return found ? createElement(found, props) : props.children
  }
}
