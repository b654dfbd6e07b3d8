import { newPasswordFault, setupTexts } from '#contract/access/login.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { commonPasswords } from './common-passwords.ts'

/** A password of at most so many pieces, each common or this short, is guessed early. */
const fewPieces = 4
const shortPiece = 4

/** A sentence for the owner; undefined when the password is good enough. */
export function passwordFault(password: string, userName: string): string | undefined {
  const fault = newPasswordFault(password)
  if (fault !== undefined) return fault
  // Hashing takes every half of a character for the same one.
  if (!password.isWellFormed()) return fieldErrors.unreadable
  return isCommon(password, userName) ? setupTexts.tooCommon : undefined
}

/** Whether a password is one of those tried first: a common one, the user's own name, or a few such pieces in a row. */
export function isCommon(password: string, userName: string): boolean {
  const name = plain(userName)
  const known = new Set([name, ...name.split('@'), ...piecesOf(name)])
  const isKnown = (text: string) => commonPasswords.has(text) || known.has(text)
  const whole = plain(password)
  const unit = repeatedUnit(whole)
  if (isKnown(whole) || isKnown(unit)) return true
  const pieces = piecesOf(unit).map(repeatedUnit)
  return (
    pieces.length <= fewPieces &&
    pieces.every((piece) => piece.length <= shortPiece || isKnown(piece))
  )
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Runs of letters, of digits, and of anything else. */
function piecesOf(text: string): readonly string[] {
  return text.match(/\p{L}+|\p{N}+|[^\p{L}\p{N}]+/gu) ?? []
}

/** What a text repeats: `abcabc` gives `abc`, `abcd` itself. */
function repeatedUnit(text: string): string {
  return text.slice(0, `${text}${text}`.indexOf(text, 1))
}
