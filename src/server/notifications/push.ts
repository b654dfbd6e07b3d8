import type { PushOffer } from '#contract/notifications/push.ts'
import type { Config } from '../config.ts'
import type { Executor } from '../db/tables.ts'
import { createFcm } from './fcm.ts'
import { senderByKind, type PushSender } from './sender.ts'
import { keptKeys } from './vapid.ts'
import { createWebPush } from './web-push.ts'

export interface Push {
  readonly offer: PushOffer
  readonly sender: PushSender
}

/**
 * Web Push with the site's own keys, and Firebase where there is an account for it. Throws when the stored keys cannot
 * be used.
 */
export async function openPush(
  db: Executor,
  { push, dataDir, firebase }: Pick<Config, 'push' | 'dataDir' | 'firebase'>,
  now: () => Date,
): Promise<Push> {
  const keys = push.keys ?? (await keptKeys(db, dataDir))
  const vapid = { ...keys, subject: push.subject }
  return {
    offer: { publicKey: keys.publicKey, kind: 'webpush' },
    sender: senderByKind({
      webpush: createWebPush({ vapid, now }),
      ...(firebase && { fcm: createFcm({ account: firebase, now }) }),
    }),
  }
}
