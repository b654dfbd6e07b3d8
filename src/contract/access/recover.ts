/*
 * What pages and server say to each other about a password that was forgotten.
 */

/** A GET answers whether a link can be sent; a POST asks for one. */
export const recoverCall = 'auth/recover'

export interface RecoverOffer {
  /** Whether the site can send mail. */
  readonly byMail: boolean
}
