import type { Outcome } from '#client/data/change.ts'

const pictureCodes = /^(?:imagen-|svg-|tipo-no-admitido|categoria-|nombre-no-valido)/

/** The server's sentence when it was the picture that it refused, so that the rest of the form was never sent. */
export function pictureTrouble(outcome: Outcome): string | undefined {
  if (outcome.state !== 'refused') return undefined
  const { code, mensaje } = outcome.error
  return code !== undefined && pictureCodes.test(code) ? mensaje : undefined
}

/** Whether the owner put signing in again off: the form stays as it is. */
export function isSignedOut(outcome: Outcome): boolean {
  return outcome.state === 'refused' && outcome.error.status === 401
}
