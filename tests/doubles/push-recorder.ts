import { createECDH, randomBytes } from 'node:crypto'
import type { PushAddress, PushMessage } from '#contract/notifications/push.ts'
import type { PushSender, SendResult } from '#server/notifications/sender.ts'

interface SentPush {
  readonly address: PushAddress
  readonly message: PushMessage
}

/** A sender that keeps what it is given and answers as it is told. */
export interface PushRecorder extends PushSender {
  /** Everything it was asked to send, delivered or not. */
  readonly sent: SentPush[]
  /** The next answers; without any, everything is sent. */
  readonly answers: SendResult[]
  /** As `answers`, for one device of several that are sent to at once: by its endpoint. */
  readonly answersTo: Map<string, SendResult>
}

export function recordPushes(): PushRecorder {
  const sent: SentPush[] = []
  const answers: SendResult[] = []
  const answersTo = new Map<string, SendResult>()
  return {
    sent,
    answers,
    answersTo,
    send: async (address, message) => {
      sent.push({ address, message })
      const endpoint = address.kind === 'webpush' ? address.subscription.endpoint : ''
      const own = answersTo.get(endpoint)
      if (own && answersTo.delete(endpoint)) return own
      return answers.shift() ?? { state: 'sent' }
    },
  }
}

/** A subscription such as a browser gives, with the private half that only the browser has. */
export function subscribe(endpoint = `https://push.example.com/${randomBytes(8).toString('hex')}`) {
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const auth = randomBytes(16)
  const address: PushAddress = {
    kind: 'webpush',
    subscription: {
      endpoint,
      keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
  }
  return { address, browser, auth }
}
