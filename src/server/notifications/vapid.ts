import { createECDH } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import webPush from 'web-push'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { readFact, settleFact } from '../db/site-facts.ts'
import type { Executor } from '../db/tables.ts'
import { absent } from '../disk/disk.ts'

/** The site's identity for push services (RFC 8292). */
export interface Vapid {
  /** `mailto:` or `https:`: the contact for a push service. */
  readonly subject: string
  /** base64url, and so is the private key. */
  readonly publicKey: string
  readonly privateKey: string
}

type Keys = Pick<Vapid, 'publicKey' | 'privateKey'>

const stored = v.object({ publicKey: v.string(), privateKey: v.string() })

const factKey = 'vapid'

/**
 * The keys kept in the database, where every process of the site finds them: made at the first start, or taken over from
 * the data folder's file, where earlier versions kept them. Throws when what is there cannot be used: with new keys
 * every device would have to subscribe again, so that is for a person to decide.
 */
export async function keptKeys(db: Executor, dataDir: string): Promise<Keys> {
  const kept = await readKeys(db)
  if (kept) return kept
  const file = join(dataDir, 'vapid.json')
  const text = await readFile(file, 'utf8').catch(absent)
  const keys = text === undefined ? webPush.generateVAPIDKeys() : keysFrom(text, file)
  return keysFrom(await settleFact(db, factKey, JSON.stringify(keys)), cliTexts.inDatabase)
}

/** Undefined before the first start. Throws when the keys cannot be used. */
export async function readKeys(db: Executor): Promise<Keys | undefined> {
  const kept = await readFact(db, factKey)
  return kept === undefined ? undefined : keysFrom(kept, cliTexts.inDatabase)
}

function keysFrom(text: string, place: string): Keys {
  const keys = parseKeys(text)
  if (keys) return keys
  throw new Error(fill(cliTexts.noKeys, { place }))
}

function parseKeys(text: string): Keys | undefined {
  try {
    const keys = v.parse(stored, JSON.parse(text))
    return isKeyPair(keys) ? keys : undefined
  } catch {
    return undefined
  }
}

/** Whether the public key belongs to the private one; false for what is no key. */
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

/** The contact for push services: the operator's, else the site's address, else the owner's. */
export function subjectOf({ given, publicUrl, owner }: SubjectFrom): string {
  if (given !== undefined) return given
  if (publicUrl.startsWith('https:')) return publicUrl
  return `mailto:${owner ?? 'webmaster@localhost'}`
}
