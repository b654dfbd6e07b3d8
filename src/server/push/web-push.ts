import { createHash } from 'node:crypto'
import webPush from 'web-push'
import { groupTag, type PushMessage, type WebPushSubscription } from '#contract/push.ts'
import { fill } from '#contract/text.ts'
import { pushTexts } from '#contract/texts-push.ts'
import { leadsInside, resolveHost, type Resolve } from './public-address.ts'
import { retryAfterMs, type PushSender, type SendResult } from './sender.ts'
import type { Vapid } from './vapid.ts'

interface WebPushOptions {
  readonly vapid: Vapid
  readonly now: () => Date
  readonly fetch?: typeof fetch
  readonly resolve?: Resolve
}

const withinMs = 10_000
/** A day later the notification is no news. */
const keptS = 24 * 3600

/** Web Push (RFC 8030): encrypted for the device, signed with the site's keys, sent to the browser's own service. */
export function createWebPush(options: WebPushOptions): PushSender {
  return {
    send: async (address, message) => {
      if (address.kind !== 'webpush') return { state: 'rejected', why: pushTexts.noSender }
      return sendTo(options, address.subscription, message)
    },
  }
}

async function sendTo(
  { vapid, now, resolve = resolveHost, fetch: post = fetch }: WebPushOptions,
  subscription: WebPushSubscription,
  message: PushMessage,
): Promise<SendResult> {
  const request = prepare(vapid, subscription, message)
  if (!request) return { state: 'rejected', why: pushTexts.unusable }
  const { hostname } = new URL(subscription.endpoint)
  if (await leadsInside(hostname, resolve)) {
    return { state: 'rejected', why: pushTexts.privateAddress }
  }
  try {
    const response = await post(subscription.endpoint, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.timeout(withinMs),
    })
    await response.body?.cancel()
    return classify(response, now())
  } catch {
    // Refused, cut or too slow: each may pass.
    return { state: 'retry', why: pushTexts.unreachable }
  }
}

/** The encrypted request, undefined for a subscription whose keys are no keys. */
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
    return { method: 'POST', headers: own, body: new Uint8Array(body) }
  } catch {
    return undefined
  }
}

/**
 * At the push service a notification waiting for a sleeping device is replaced by the next one with its topic: those for
 * several messages have one, since each tells of all.
 */
export function topicOf(tag: string): string {
  const topic = tag.startsWith(groupTag) ? groupTag : tag
  return createHash('sha256').update(topic).digest('base64url').slice(0, 32)
}

function classify({ status, headers }: Response, now: Date): SendResult {
  if (status >= 200 && status < 300) return { state: 'sent' }
  if (status === 404 || status === 410) return { state: 'gone' }
  if (status === 429 || status >= 500) {
    const afterMs = retryAfterMs(headers.get('retry-after'), now)
    const why = status === 429 ? pushTexts.busy : fill(pushTexts.failing, { status })
    return { state: 'retry', why, ...(afterMs !== undefined && { afterMs }) }
  }
  const text = status === 401 || status === 403 ? pushTexts.otherKey : pushTexts.refused
  return { state: 'rejected', why: fill(text, { status }) }
}
