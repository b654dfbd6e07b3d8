import { Sprite, type Symbols } from '#client/ui/icon.tsx'
import { ownerSymbols } from '#client/ui/owner-symbols.ts'

/** The symbols of the owner's tools, beside those of every page. */
export function OwnerSprite() {
  return <Sprite symbols={ownerSymbols} />
}

const onForms = new Set(['eye', 'key'])
const drawn: Symbols = Object.fromEntries(
  Object.entries(ownerSymbols).filter(([name]) => onForms.has(name)),
)

/** Those that the way in shows at once, so that the server draws them with it. */
export function DrawnSprite() {
  return <Sprite symbols={drawn} />
}
