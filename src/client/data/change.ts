import type { Draft } from '#contract/fields.ts'
import type { Section } from '#contract/sections/section.ts'
import type { SettingValues } from '#contract/settings.ts'
import type { ApiError } from './api.ts'

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

/** What became of a change: `unsent` when no answer came, so that it may or may not have arrived. */
export type Outcome =
  | { readonly state: 'done' }
  | { readonly state: 'refused'; readonly error: ApiError }
  | { readonly state: 'unsent'; readonly cause: unknown }
