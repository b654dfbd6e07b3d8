import { isIP } from 'node:net'
import type { ThrottledLog } from '../log.ts'
import type { SmtpAccount } from './smtp-account.ts'

/** A mail to the owner, as plain text. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly replyTo?: { readonly name: string; readonly address: string }
}

type MailResult =
  | 'sent'
  /** Worth another try. */
  | 'later'
  /** No mail is taken of this account or for this owner: what is wrong is the operator's to mend. */
  | 'barred'
  /** This very mail is refused for good. */
  | 'refused'

export type Mailer = (mail: Mail) => Promise<MailResult>

/** All of one try, which has to end within a job's lease. */
const withinMs = 10_000

/**
 * Sends through the operator's mail server, and logs what keeps a mail from leaving. Names, addresses and texts are data for
 * the library, which writes the headers.
 */
export function createMailer({ url, from }: SmtpAccount, log: ThrottledLog): Mailer {
  return async ({ to, subject, text, replyTo }) => {
    // Loaded for the first mail: most sites send none.
    const { createTransport } = await import('nodemailer')
    const { protocol, hostname, port, username, password } = new URL(url)
    const secure = protocol === 'smtps:'
    const host = hostname.replace(/^\[|\]$/g, '')
    const transport = createTransport({
      host,
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      // A password or a link in the clear only to this machine itself.
      requireTLS: !secure && !isOwnMachine(host),
      ...(username !== '' && {
        auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }),
      disableFileAccess: true,
      disableUrlAccess: true,
      connectionTimeout: withinMs / 2,
      greetingTimeout: withinMs / 2,
      // Whoever is slow to say that it has the mail may have it: another try would bring it twice.
      socketTimeout: withinMs,
    })
    const timer = setTimeout(() => transport.close(), withinMs)
    try {
      const sending = transport.sendMail({
        from: { name: from.name, address: from.address },
        to: { name: '', address: to },
        subject,
        text,
        ...(replyTo && { replyTo: { ...replyTo } }),
        // Out-of-office answers go to nobody.
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      await inTime(sending)
      return 'sent'
    } catch (error) {
      const result = resultAfter(error)
      log('mail-failed', result, () => factsOf(error))
      return result
    } finally {
      clearTimeout(timer)
      transport.close()
    }
  }
}

function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** A 5xx is a server's last word: on one mail once it has read it, and before that on whoever sends or gets all of them. */
function resultAfter(error: unknown): 'later' | 'barred' | 'refused' {
  const { code, status = 0 } = factsOf(error)
  if (status < 500) return 'later'
  return code === 'EMESSAGE' ? 'refused' : 'barred'
}

/** The library's word for what failed and the server's number, but none of its words: they may repeat an address. */
function factsOf(error: unknown): { readonly code: string; readonly status?: number } {
  const { code, responseCode: status } = error as { code?: unknown; responseCode?: unknown }
  return {
    code: typeof code === 'string' ? code : 'too-late',
    ...(typeof status === 'number' && { status }),
  }
}

function inTime<T>(sending: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('too late')), withinMs)
    sending.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
