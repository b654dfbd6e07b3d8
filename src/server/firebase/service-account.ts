import { createPrivateKey, type KeyObject } from 'node:crypto'
import * as v from 'valibot'
import { fill } from '#contract/text.ts'
import { configTexts as said } from '#contract/texts/config.ts'

/** In whose name the server speaks to Firebase. */
export interface ServiceAccount {
  readonly projectId: string
  readonly email: string
  readonly key: KeyObject
}

const shape = v.object({
  type: v.literal('service_account'),
  // Both stand in addresses and claims, so nothing else may be in them.
  project_id: v.pipe(v.string(), v.regex(/^[a-z0-9-]{4,40}$/)),
  client_email: v.pipe(v.string(), v.email()),
  private_key: v.string(),
})

/** The service account in the JSON that Firebase's console hands out. Throws an error that says what is wrong with it, never what is in it. */
export function parseServiceAccount(text: string): ServiceAccount {
  const parsed = v.safeParse(shape, parseJson(text))
  if (!parsed.success) {
    const members = parsed.issues.map((issue) => v.getDotPath(issue) ?? 'JSON')
    throw new Error(fill(said.notAccount, { members: members.join(', ') }))
  }
  const { project_id: projectId, client_email: email, private_key: pem } = parsed.output
  return { projectId, email, key: readKey(pem) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message repeats part of the text, which may be the key.
    throw new Error(said.notJson)
  }
}

function readKey(pem: string): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch (cause) {
    throw new Error(said.notPem, { cause })
  }
  if (key.asymmetricKeyType === 'rsa') return key
  throw new Error(said.notRsa)
}
