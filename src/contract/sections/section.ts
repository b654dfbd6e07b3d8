import type { FieldValues, Fields } from '../fields.ts'

/** How an entry is drawn: the display names fields of its own section only. */
export type Display<FieldName extends string = string> =
  | {
      /** `grid`: pictures first, side by side. `timeline`: logos along a line. */
      readonly kind: 'card'
      readonly layout: 'grid' | 'timeline'
      /** Absent where a picture would say nothing. */
      readonly image?: FieldName
      readonly title: FieldName
      /** A second line of the title, such as her role there, where it says anything. */
      readonly under?: FieldName
      readonly body?: FieldName
      readonly fact: { readonly label: string; readonly field: FieldName }
      readonly links: readonly { readonly label: string; readonly field: FieldName }[]
    }
  | { readonly kind: 'icon'; readonly image: FieldName; readonly title: FieldName }

/** A kind of entry: pure data from which table, calls, validation, form, cards, routes and tests follow. */
export interface Section {
  /** API segment and table name. */
  readonly key: string
  /** Heading and navigation label. */
  readonly title: string
  readonly path: string
  readonly addPath: string
  /** Route pattern; `$id` is the entry's id. */
  readonly editPath: string
  /** Nowhere on the site until the owner turns it on. */
  readonly startsOff?: boolean
  readonly order: 'newest-first' | 'as-loaded'
  /** Symbol of the icon sprite. */
  readonly icon: string
  /** Where its images are kept, if it has any: `type` is the folder, `newName` and `editName` are completed with an id. */
  readonly images?: { readonly type: string; readonly newName: string; readonly editName: string }
  readonly fields: Fields
  readonly display: Display
  /** Its rank on the CV, the lowest first; 5 unless told. Sections of one rank keep the navigation's order. */
  readonly cvRank?: number
  readonly words: {
    readonly noun: string
    readonly one: string
    readonly many: string
    readonly add: string
    readonly edit: string
    readonly empty: string
    readonly emptyHint: string
    readonly emptyOwner: string
    readonly emptyOwnerHint: string
  }
}

/** Checks, while compiling, that the display names only fields the section has. */
export function defineSection<const S extends Section>(
  section: S & { display: Display<Extract<keyof S['fields'], string>> },
): S {
  return section
}

export interface Entry {
  readonly id: string
  /** Grows by one with every change; sent back as `If-Match`. */
  readonly version: number
  readonly fields: FieldValues
}
