import { emailChangeFields } from '#contract/access/own-access.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { checkValues } from '#contract/validate.ts'
import { sessionNeeded } from '../api/guard.ts'
import { transact } from '../db/transact.ts'
import { Problem } from '../problem.ts'
import { assertPassword, refuseField } from './current-password.ts'
import type { LoginOptions } from './login.ts'
import { dropLinks } from './one-time-link.ts'
import { canonicalName, replaceCredentials, type Owner } from './owner.ts'
import { isCommon, passwordFault } from './password-rules.ts'
import { isOpen, type SessionInfo } from './session.ts'
import { closeSignIns } from './sign-in.ts'

/*
 * Changes of the credentials: each asks for the current password and ends the sign-ins on other devices.
 */

export interface PasswordChange {
  readonly currentPassword: string
  readonly newPassword: string
}

export interface NameChange {
  readonly currentPassword: string
  readonly userName: string
}

/**
 * Ends every other session in the same transaction. Throws `Problem` 422 for a password that is refused, as
 * `assertPassword` does for a wrong one.
 */
export async function changePassword(
  options: LoginOptions,
  session: SessionInfo,
  { currentPassword, newPassword }: PasswordChange,
): Promise<void> {
  const { log, now, passwords } = options
  const fault = passwordFault(newPassword, session.userName)
  if (fault !== undefined) refuseField('newPassword', fault)
  const owner = await assertPassword(options, session, currentPassword)
  const password = await passwords.hash(newPassword)
  await store(options, session, owner, { password, password_changed_at: now().toISOString() })
  log('password-changed')
}

/**
 * Gives back the address as it was stored: trimmed and in small letters. Throws `Problem` 422 for one that is no e-mail
 * address.
 */
export async function changeUserName(
  options: LoginOptions,
  session: SessionInfo,
  { currentPassword, userName }: NameChange,
): Promise<string> {
  const checked = checkValues(emailChangeFields, 'create', { userName, currentPassword })
  if (!checked.ok) throw new Problem('datos-no-validos', { errors: checked.errors })
  const owner = await assertPassword(options, session, currentPassword)
  const user_name = canonicalName(checked.value['userName'] ?? '')
  if (isCommon(currentPassword, user_name)) refuseField('userName', accessTexts.emailIsPassword)
  await store(options, session, owner, { user_name })
  options.log('user-name-changed')
  return user_name
}

/**
 * Refuses when another change came first: then the password that was verified is no longer the current one, or that
 * change has ended this session.
 */
async function store(
  { db }: Pick<LoginOptions, 'db'>,
  { signInId, tokenHash }: SessionInfo,
  owner: Owner,
  change: Parameters<typeof replaceCredentials>[2],
): Promise<void> {
  await transact(db, async (t) => {
    if (!(await replaceCredentials(t, owner, change))) {
      refuseField('currentPassword', accessTexts.wrongPassword)
    }
    if (!(await isOpen(t, tokenHash))) throw sessionNeeded()
    await closeSignIns(t, owner.id, signInId)
    await dropLinks(t, 'reset')
  })
}
