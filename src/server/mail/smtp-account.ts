import { mailTexts } from '#contract/texts/mail.ts'

/** The operator's mail server, and in whose name mails leave. */
export interface SmtpAccount {
  /** `smtp:` or `smtps:`, with user and password where it asks for them. */
  readonly url: string
  readonly from: { readonly name: string; readonly address: string }
}

export const mailAddress = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/u

/** Whether the text is the address of a mail server, which has a user and a password or neither. */
export function isMailServer(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^\/?$/.test(url.pathname) &&
    url.search + url.hash === '' &&
    (url.username === '') === (url.password === '') &&
    isEncoded(url.username + url.password)
  )
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

/** Without an address of its own mail leaves in the name of the account, or of the site. */
export function smtpAccount(
  url: string,
  given: string | undefined,
  publicUrl: string,
): SmtpAccount {
  const user = decodeURIComponent(new URL(url).username)
  const own = mailAddress.test(user) ? user : `tintero@${new URL(publicUrl).hostname}`
  return { url, from: { name: mailTexts.from, address: given ?? own } }
}
