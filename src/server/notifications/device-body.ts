import { createECDH } from 'node:crypto'
import * as v from 'valibot'
import { maxLinkLength } from '#contract/limits.ts'
import { maxDeviceLabel, type PushAddress } from '#contract/notifications/push.ts'
import { cleanText, isStorable, lengthOf } from '#contract/text.ts'
import { pushTexts } from '#contract/texts/push.ts'
import { isPushEndpoint } from './public-address.ts'
import { Problem } from '../problem.ts'

const base64url = (bytes: number) =>
  v.pipe(
    v.string(),
    v.regex(/^[\w-]+={0,2}$/),
    v.check((text) => Buffer.from(text, 'base64url').length === bytes),
  )

const address = v.variant('kind', [
  v.object({
    kind: v.literal('webpush'),
    subscription: v.object({
      endpoint: v.pipe(v.string(), v.maxLength(maxLinkLength), v.check(isPushEndpoint)),
      keys: v.object({ p256dh: v.pipe(base64url(65), v.check(isPoint)), auth: base64url(16) }),
    }),
  }),
  v.object({ kind: v.literal('fcm'), fid: v.pipe(v.string(), v.regex(/^[\w-]{10,64}$/)) }),
])

interface NewDevice {
  readonly address: PushAddress
  readonly label: string
  readonly heal: boolean
}

/** Throws 422 for an address that nothing can be sent to. */
export function readDevice(body: Readonly<Record<string, unknown>>): NewDevice {
  const parsed = v.safeParse(address, body['address'])
  if (!parsed.success) {
    throw new Problem('datos-no-validos', { errors: { address: pushTexts.unusable } })
  }
  return { address: parsed.output, label: labelOf(body['label']), heal: body['heal'] === true }
}

function labelOf(input: unknown): string {
  const label = typeof input === 'string' ? cleanText(input).replace(/\s+/gu, ' ') : ''
  const isUsable = label !== '' && isStorable(label) && lengthOf(label) <= maxDeviceLabel
  return isUsable ? label : pushTexts.namelessDevice
}

/** Whether the key is a point of the curve: with any other nothing can be encrypted. */
function isPoint(key: string): boolean {
  const own = createECDH('prime256v1')
  own.generateKeys()
  try {
    own.computeSecret(Buffer.from(key, 'base64url'))
    return true
  } catch {
    return false
  }
}
