import { getSession, onSession } from '#client/data/session.ts'

/** Tells how the owner answered the request to sign in, whichever call it was that found the session over. */
export function followLogin(onAnswer: (isRenewed: boolean) => void): void {
  let before = getSession()
  onSession(() => {
    const was = before
    before = getSession()
    const { token, isExpired } = before
    if (token !== was.token) {
      if (token !== undefined) onAnswer(true)
    } else if (was.isExpired && !isExpired) onAnswer(false)
  })
}
