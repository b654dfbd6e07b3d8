import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { apiBase } from '#client/data/api.ts'
import { logProblem } from '#client/browser/early/log.ts'

/** Whether this browser has passkeys; pages of another origin than the API's would make them for the wrong site. */
export function hasPasskeys(): boolean {
  const base = new URL(apiBase, location.href)
  return 'PublicKeyCredential' in globalThis && base.origin === location.origin
}

/** Has the person choose a passkey and sign with it; undefined when she did not. */
export async function signWithPasskey(
  options: unknown,
): Promise<AuthenticationResponseJSON | undefined> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return settled(startAuthentication({ optionsJSON }))
}

/** Has the person make a passkey; undefined when she did not, `known` when the device has one already. */
export async function makePasskey(
  options: unknown,
): Promise<RegistrationResponseJSON | 'known' | undefined> {
  const { startRegistration, WebAuthnError } = await import('@simplewebauthn/browser')
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  const made = startRegistration({ optionsJSON }).catch((cause: unknown) => {
    const isKnown =
      cause instanceof WebAuthnError && cause.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    if (isKnown) return 'known' as const
    throw cause
  })
  return settled(made)
}

/** What the authenticator gave: it tells nobody why it gave nothing, and the person knows. */
async function settled<T>(ceremony: Promise<T>): Promise<T | undefined> {
  try {
    return await ceremony
  } catch (cause) {
    logProblem('No passkey was used', cause)
    return undefined
  }
}
