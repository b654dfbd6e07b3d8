import { email, password } from '../fields.ts'
import { setupFields } from './login.ts'
import { ownerTexts } from '../texts/owner.ts'

/** What the owner signs in with, as far as it can be read. */
export interface OwnAccess {
  readonly userName: string
  /** Null before the first change. */
  readonly passwordChangedAt: string | null
}

const currentPassword = password(ownerTexts.currentPassword, { autocomplete: 'current-password' })

export const emailChangeFields = {
  userName: email('Correo nuevo', { autocomplete: 'username' }),
  currentPassword,
}

export const passwordChangeFields = {
  currentPassword,
  newPassword: { ...setupFields.password, label: ownerTexts.newPassword },
}
