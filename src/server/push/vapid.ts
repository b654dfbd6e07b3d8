import { createECDH, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import webPush from 'web-push'

/** The site's identity before push services (RFC 8292). */
export interface Vapid {
  /** `mailto:` or `https:`: whom a push service would write to. */
  readonly subject: string
  /** base64url, and so is the private key. */
  readonly publicKey: string
  readonly privateKey: string
}

type Keys = Pick<Vapid, 'publicKey' | 'privateKey'>

const stored = v.object({ publicKey: v.string(), privateKey: v.string() })

/**
 * The keys kept in the data folder, made at the first start. Throws when the file is there and cannot be used: with new
 * keys every device would have to subscribe again, so that is for a person to decide.
 */
export async function keptKeys(dataDir: string): Promise<Keys> {
  const file = join(dataDir, 'vapid.json')
  await mkdir(dataDir, { recursive: true })
  await makeOnce(file, JSON.stringify(webPush.generateVAPIDKeys(), null, 2))
  const keys = parseKeys(await readFile(file, 'utf8'))
  if (keys) return keys
  throw new Error(
    `${file} holds no pair of VAPID keys. Put back its backup, or delete it: every device must then turn notifications on again.`,
  )
}

/** Of two processes that start at once one makes the file and both read it; one that dies leaves no half of it. */
async function makeOnce(file: string, text: string): Promise<void> {
  const own = `${file}.${randomUUID()}`
  await writeFile(own, text, { mode: 0o600 })
  try {
    await link(own, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(own)
  }
}

function parseKeys(text: string): Keys | undefined {
  try {
    const keys = v.parse(stored, JSON.parse(text))
    return isKeyPair(keys) ? keys : undefined
  } catch {
    return undefined
  }
}

/** Whether the public key is the private one's. */
export function isKeyPair({ publicKey, privateKey }: Keys): boolean {
  try {
    const curve = createECDH('prime256v1')
    curve.setPrivateKey(Buffer.from(privateKey, 'base64url'))
    return curve.getPublicKey('base64url') === publicKey
  } catch {
    return false
  }
}

interface SubjectFrom {
  readonly given: string | undefined
  readonly publicUrl: string
  readonly owner: string | undefined
}

/** Whom push services would write to: what the operator said, else the site's address, else the owner's. */
export function subjectOf({ given, publicUrl, owner }: SubjectFrom): string {
  if (given !== undefined) return given
  if (publicUrl.startsWith('https:')) return publicUrl
  return `mailto:${owner ?? 'webmaster@localhost'}`
}
