import { accessTexts } from '#contract/texts/access.ts'
import { Problem } from '../problem.ts'
import type { LoginOptions } from './login.ts'
import { readOwner, type Owner } from './owner.ts'
import type { SessionInfo } from './session.ts'
import { tooMany } from '../api/rate-limits.ts'
import { forgetHits, hit } from '../api/throttle.ts'

/**
 * Throws 422 for a wrong password and 429 when guessed too often, because a stolen session could otherwise be used to
 * guess it.
 */
export async function assertPassword(
  { db, now, limits, passwords }: Pick<LoginOptions, 'db' | 'now' | 'limits' | 'passwords'>,
  session: Pick<SessionInfo, 'ownerId'>,
  currentPassword: string,
): Promise<Owner> {
  const key = `password:${session.ownerId}`
  const verdict = await hit(db, key, { ...limits.login, now: now() })
  if (!verdict.allowed) throw tooMany(verdict.retryAfterS * 1000)
  const owner = await readOwner(db)
  if (!owner || !(await passwords.verify(currentPassword, owner.password))) {
    refuseField('currentPassword', accessTexts.wrongPassword)
  }
  await forgetHits(db, key)
  return owner
}

/** Throws `Problem` 422 with a sentence for one field of the form of access. */
export function refuseField(
  name: 'currentPassword' | 'newPassword' | 'userName',
  mensaje: string,
): never {
  throw new Problem('datos-no-validos', { errors: { [name]: mensaje } })
}
