import { use } from 'react'
import { takeShared } from '#client/data/shared.ts'

const taken = new Map<string, Promise<void>>()

/** Waits until what was shared to the installed app is in the draft of this form; looks once in a page's life. */
export function useShared(form: string): void {
  const taking = taken.get(form) ?? takeShared(form)
  taken.set(form, taking)
  use(taking)
}
