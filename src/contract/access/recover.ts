/*
 * What pages and server say to each other about a password that was forgotten.
 */

/** Asked: whether a link can be sent. Posted: whose. */
export const recoverCall = 'auth/recover'

export interface RecoverOffer {
  /** Whether the site can send mail. */
  readonly byMail: boolean
}
