import * as v from 'valibot'
import type { PushMessage } from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { pushTexts } from '#contract/texts/push.ts'
import { accessTokens, TokenRefused, type AccessTokens } from '../firebase/access-token.ts'
import type { ServiceAccount } from '../firebase/service-account.ts'
import { isClockWrong, retryAfterMs, type PushSender, type SendResult } from './sender.ts'
import { topicOf } from './web-push.ts'

interface FcmOptions {
  readonly account: ServiceAccount
  readonly now: () => Date
  readonly fetch?: typeof fetch
  /** For all of one try, which has to end within a job's lease: with new tokens it may wait for four answers. */
  readonly withinMs?: number
}

/** A day later the notification is no news. */
const keptS = 24 * 3600
/** Google's own word for a 429 that names no time. */
const busyMs = 60_000

/** Firebase Cloud Messaging (HTTP v1), to devices known by their Firebase installation. */
export function createFcm({
  account,
  now,
  fetch: post = fetch,
  withinMs = 10_000,
}: FcmOptions): PushSender {
  const tokens = accessTokens({ account, now, fetch: post })
  const url = `https://fcm.googleapis.com/v1/projects/${account.projectId}/messages:send`
  const attempt = async (fid: string, message: PushMessage, signal: AbortSignal) =>
    post(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await tokens.get()}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ message: toFcm(fid, message) }),
      redirect: 'error',
      signal,
    })
  const deliver = async (fid: string, message: PushMessage, signal: AbortSignal) =>
    classify(await withFreshToken(tokens, () => attempt(fid, message, signal)), now())
  return {
    send: async (address, message) => {
      if (address.kind !== 'fcm') return { state: 'rejected', why: pushTexts.noSender }
      try {
        const signal = AbortSignal.timeout(withinMs)
        return await Promise.race([deliver(address.fid, message, signal), failing(signal)])
      } catch (error) {
        if (error instanceof TokenRefused) {
          return isClockWrong(error.date, now())
            ? { state: 'retry', why: pushTexts.wrongClock }
            : { state: 'rejected', why: pushTexts.badAccount }
        }
        // Refused, cut or too slow: each may pass.
        return { state: 'retry', why: pushTexts.unreachable }
      }
    },
  }
}

/** Rejects when the signal is given: a token that others wait for too is not asked for under it. */
function failing(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('too late')), { once: true })
  })
}

/** A token may be withdrawn before its time: then one more try with a new one. */
async function withFreshToken(
  tokens: AccessTokens,
  attempt: () => Promise<Response>,
): Promise<Response> {
  const response = await attempt()
  if (response.status !== 401) return response
  await response.body?.cancel()
  tokens.drop()
  return attempt()
}

/** Data alone: what Firebase would show by itself would be shown twice, and differently from our own notifications. */
function toFcm(fid: string, { unread, ...texts }: PushMessage) {
  const headers = { TTL: String(keptS), Urgency: 'high', Topic: topicOf(texts.tag) }
  const data = { ...texts, ...(unread !== undefined && { unread: String(unread) }) }
  return { fid, data, webpush: { headers } }
}

const refusal = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    error: v.object({ details: v.array(v.object({ errorCode: v.optional(v.string()) })) }),
  }),
)

/** By the status alone, but for 404: a project that is not there is answered so too, and takes no device off the list. */
async function classify(response: Response, now: Date): Promise<SendResult> {
  const { status, headers } = response
  if (status === 404 && (await isUnregistered(response))) return { state: 'gone' }
  if (!response.bodyUsed) await response.body?.cancel()
  if (response.ok) return { state: 'sent' }
  if (status === 429 || status >= 500) {
    const afterMs =
      retryAfterMs(headers.get('retry-after'), now) ?? (status === 429 ? busyMs : undefined)
    const why = status === 429 ? pushTexts.busy : fill(pushTexts.failing, { status })
    return { state: 'retry', why, ...(afterMs !== undefined && { afterMs }) }
  }
  if (status === 401) return { state: 'rejected', why: pushTexts.badAccount }
  return { state: 'rejected', why: fill(pushTexts.refused, { status }) }
}

async function isUnregistered(response: Response): Promise<boolean> {
  const { success, output } = v.safeParse(refusal, await response.text())
  return success && output.error.details.some(({ errorCode }) => errorCode === 'UNREGISTERED')
}
