import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What is told of the ceremony; each can be made false, as an attacker would. */
interface Ceremony {
  readonly challenge: string
  readonly origin: string
  readonly rpId: string
  /** Whether the authenticator made sure of the person. */
  readonly isVerified?: boolean
  /** How often the key was used. */
  readonly counter?: number
  readonly type?: string
}

/** A key pair and what authenticators say of it: real signatures, made without a browser. */
export function softAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const name = id.toString('base64url')
  const bare = { id: name, rawId: name, type: 'public-key', clientExtensionResults: {} } as const
  return {
    id: name,
    /** The answer of `navigator.credentials.create`. */
    make(ceremony: Ceremony) {
      const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = [Buffer.alloc(16), length, id, isoCBOR.encode(key)]
      const authData = Buffer.concat([head(ceremony, 0x40), ...attested])
      const told = new Map<string, string | Uint8Array<ArrayBuffer> | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', new Uint8Array(authData)],
      ])
      return {
        ...bare,
        response: {
          clientDataJSON: clientData(ceremony, 'webauthn.create').toString('base64url'),
          attestationObject: Buffer.from(isoCBOR.encode(told)).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** The answer of `navigator.credentials.get`. */
    sign(ceremony: Ceremony) {
      const client = clientData(ceremony, 'webauthn.get')
      const authData = head(ceremony, 0)
      const signed = Buffer.concat([authData, digest(client)])
      return {
        ...bare,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
      }
    },
  }
}

const digest = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

function clientData({ challenge, origin, type }: Ceremony, usual: string): Buffer {
  return Buffer.from(JSON.stringify({ type: type ?? usual, challenge, origin, crossOrigin: false }))
}

/** Hash of the site, flags (present, verified, and what else), and the count. */
function head({ rpId, isVerified = true, counter = 0 }: Ceremony, more: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([digest(rpId), Buffer.from([0x01 | (isVerified ? 0x04 : 0) | more]), count])
}
