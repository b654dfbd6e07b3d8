import { SignJWT } from 'jose'
import type { ServiceAccount } from './service-account.ts'

const audience =
  'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit'
const livesS = 3600

/** A token with which the owner's page signs in at Firebase for an hour, with the claim `owner` that `storage.rules` asks for. */
export function ownerToken({ email, key }: ServiceAccount, moment: Date): Promise<string> {
  const iat = Math.floor(moment.getTime() / 1000)
  return new SignJWT({ uid: 'owner', claims: { owner: true } })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(email)
    .setSubject(email)
    .setAudience(audience)
    .setIssuedAt(iat)
    .setExpirationTime(iat + livesS)
    .sign(key)
}
