/*
 * What pages and server say to each other about links that lead nowhere.
 */

export const linksCall = 'links'

/** Where a link stands, as its owner finds it. */
export type LinkPlace =
  | {
      readonly section: string
      readonly id: string
      /** What the link is called on the card. */
      readonly label: string
      /** The entry's name. */
      readonly name: string
    }
  | { readonly setting: string; readonly label: string }

export interface DeadLink {
  /** As it is stored. */
  readonly link: string
  /** When it failed first, ISO-8601 UTC. */
  readonly since: string
  readonly places: readonly LinkPlace[]
}

export interface LinkStatus {
  readonly dead: readonly DeadLink[]
  /** When a link was looked at last, ISO-8601 UTC; null before the first time. */
  readonly lookedAt: string | null
}

/** A place in a few words: «Demo» of an entry, or the setting. */
export function placeWords(place: LinkPlace): string {
  return 'section' in place ? `«${place.label}» de ${place.name}` : `«${place.label}» de tu perfil`
}
