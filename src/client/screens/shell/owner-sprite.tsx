import { Sprite } from '#client/ui/icon.tsx'
import { ownerSymbols } from '#client/ui/owner-symbols.ts'

/** The symbols of the owner's tools, beside those of every page. */
export function OwnerSprite() {
  return <Sprite symbols={ownerSymbols} />
}
