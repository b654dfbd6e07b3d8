import type { Draft } from '#contract/fields.ts'
import type { Section } from '#contract/sections/section.ts'
import type { SettingValues } from '#contract/settings.ts'
import type { Refusal } from './outbox/operation.ts'

/** A write by the owner, complete enough to be sent now or later. */
export type Change =
  | {
      readonly kind: 'create'
      readonly section: Section
      readonly id: string
      readonly draft: Draft
      readonly image?: Blob
    }
  | {
      readonly kind: 'update'
      readonly section: Section
      readonly id: string
      readonly version: number
      readonly patch: Draft
      readonly image?: Blob
    }
  | {
      readonly kind: 'remove'
      readonly section: Section
      readonly id: string
      readonly version: number
    }
  | {
      readonly kind: 'person'
      readonly version: number
      readonly patch: Draft
      readonly image?: Blob
    }
  | { readonly kind: 'settings'; readonly patch: Partial<SettingValues> }

/**
 * What became of a change. `done`: the server has it. `refused`: the server said no and it is the form's again.
 * `queued`: kept on this device until the server can be reached, or (`isHeld`) behind one that was refused. `failed`: kept too, but the server has trouble with it.
 * `undecided`: kept until the person chooses between it and what another device made of the same thing.
 * `unkept`: waits as well, but is lost with the page, since the device keeps nothing.
 */
export type Outcome =
  | { readonly state: 'done' }
  | { readonly state: 'refused'; readonly refusal: Refusal }
  | { readonly state: 'queued'; readonly isHeld: boolean }
  | { readonly state: 'failed' }
  | { readonly state: 'undecided' }
  | { readonly state: 'unkept' }
