import { hash } from 'node:crypto'
import webPush from 'web-push'
import {
  groupTag,
  type PushMessage,
  type WebPushSubscription,
} from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { pushTexts } from '#contract/texts/push.ts'
import { createPost, type Post, type PostAnswer } from './post.ts'
import { PrivateAddress } from './public-address.ts'
import { isClockWrong, retryAfterMs, type PushSender, type SendResult } from './sender.ts'
import type { Vapid } from './vapid.ts'

interface WebPushOptions {
  readonly vapid: Vapid
  readonly now: () => Date
  readonly post?: Post
}

/** A day later the notification is no news. */
const keptS = 24 * 3600

/** RFC 8030: encrypted for the device, signed with the site's keys, sent to the browser's own service. */
export function createWebPush({ vapid, now, post = createPost() }: WebPushOptions): PushSender {
  return {
    send: async (address, message) => {
      if (address.kind !== 'webpush') return { state: 'rejected', why: pushTexts.noSender }
      return sendTo({ vapid, now, post }, address.subscription, message)
    },
  }
}

async function sendTo(
  { vapid, now, post }: Required<WebPushOptions>,
  subscription: WebPushSubscription,
  message: PushMessage,
): Promise<SendResult> {
  const request = prepare(vapid, subscription, message)
  if (!request) return { state: 'rejected', why: pushTexts.unusable }
  try {
    return classify(await post({ endpoint: subscription.endpoint, ...request }), now())
  } catch (error) {
    if (error instanceof PrivateAddress) return { state: 'rejected', why: pushTexts.privateAddress }
    // Refused, cut or too slow: each may pass.
    return { state: 'retry', why: pushTexts.unreachable }
  }
}

/** Undefined for a subscription with invalid keys. */
function prepare(vapid: Vapid, subscription: WebPushSubscription, message: PushMessage) {
  try {
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint: subscription.endpoint, keys: { ...subscription.keys } },
      JSON.stringify(message),
      {
        vapidDetails: { ...vapid },
        TTL: keptS,
        urgency: 'high',
        topic: topicOf(message.tag),
        contentEncoding: 'aes128gcm',
      },
    )
    const { 'Content-Length': _, ...own } = headers ?? {}
    return { headers: own as Record<string, string>, body: new Uint8Array(body) }
  } catch {
    return undefined
  }
}

/**
 * The push service replaces a notification that waits for a sleeping device by the next one with its topic: grouped
 * notifications share one, since each tells of all messages.
 */
export function topicOf(tag: string): string {
  const topic = tag.startsWith(groupTag) ? groupTag : tag
  return hash('sha256', topic, 'base64url').slice(0, 32)
}

function classify({ status, retryAfter, date }: PostAnswer, now: Date): SendResult {
  if (status >= 200 && status < 300) return { state: 'sent' }
  if (status === 404 || status === 410) return { state: 'gone' }
  if (status === 429 || status >= 500) {
    const afterMs = retryAfterMs(retryAfter, now)
    const why = status === 429 ? pushTexts.busy : fill(pushTexts.failing, { status })
    return { state: 'retry', why, ...(afterMs !== undefined && { afterMs }) }
  }
  const isUnsigned = status === 401 || status === 403
  if (isUnsigned && isClockWrong(date, now)) return { state: 'retry', why: pushTexts.wrongClock }
  const text = isUnsigned ? pushTexts.otherKey : pushTexts.refused
  return { state: 'rejected', why: fill(text, { status }) }
}
