import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { isOwnMachine } from '#contract/site-copy.ts'
import { fill } from '#contract/text.ts'
import { configTexts as said } from '#contract/texts/config.ts'
import { limitsOf, limitVariables, type LimitName, type RateLimit } from './api/limits.ts'
import type { DbTarget } from './db/open.ts'
import { refusalOf } from './disk/disk.ts'
import { isJson, isPurgeCall, purgeCall, purgeHeader, type PurgeCall } from './edge/purge-call.ts'
import { parseServiceAccount, type ServiceAccount } from './firebase/service-account.ts'
import { isMailServer, mailAddress, smtpAccount, type SmtpAccount } from './mail/smtp-account.ts'
import { isKeyPair, subjectOf } from './notifications/vapid.ts'
import { messageOf } from './problem.ts'

/** A bucket of a storage service that speaks S3, and the keys to it. */
export interface S3Bucket {
  /** Where its objects lie, without a final slash. */
  readonly url: string
  /** As the service names it; a well-known service's address tells it. */
  readonly region?: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Everything the operator can set, read once at start. */
export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly database: DbTarget
  /** Where backups are put. */
  readonly backupDir: string
  /** Scheme and host every link is made with, without a final slash: a request's own Host header never reaches one. */
  readonly publicUrl: string
  /** How many proxies in front are ours and may say where a request comes from. */
  readonly trustProxy: number
  /** For how many seconds a caching proxy in front may answer visitors by itself; 0: not at all. */
  readonly sharedCacheS: number
  /** How it is told that the site has changed; without it, it asks after that time. */
  readonly purge?: PurgeCall
  readonly allowedOrigins: readonly string[]
  /** The owner to make at the first start, when the operator named one. */
  readonly owner?: { readonly userName: string; readonly password: string }
  readonly limits: Readonly<Record<LimitName, RateLimit>>
  /** What opens the address of the measured values; without it there is none. */
  readonly metricsToken?: string
  readonly push: {
    /** The operator's own VAPID keys; without them the data folder's are used. */
    readonly keys?: { readonly publicKey: string; readonly privateKey: string }
    readonly subject: string
    /** While messages lie unread, devices are notified again only after so long. */
    readonly notifyEveryMs: number
  }
  /** What sends mails; without it none leaves. */
  readonly smtp?: SmtpAccount
  /** Where pictures are kept; without it in the data folder. */
  readonly s3?: S3Bucket
  /** In whose name Firebase is called; without it nothing of Firebase is. */
  readonly firebase?: ServiceAccount
}

const serviceAccountName = 'FIREBASE_SERVICE_ACCOUNT'
const secrets = [
  'OWNER_PASSWORD',
  'DATABASE_URL',
  'VAPID_PRIVATE_KEY',
  'METRICS_TOKEN',
  'SHARED_CACHE_PURGE_HEADER',
  'S3_SECRET_ACCESS_KEY',
  'SMTP_URL',
  serviceAccountName,
] as const

function whole(min: number, max: number) {
  const fault = fill(said.whole, { min, max })
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,6}$/, fault),
    v.transform(Number),
    v.check((n) => n >= min && n <= max, fault),
  )
}

/** In small letters, as browsers name the page that asks: the two are compared as texts. */
const origin = v.pipe(
  v.string(),
  v.transform((text) => text.trim().toLowerCase().replace(/\/$/, '')),
  v.check(isOrigin, said.origin),
)

const variables = v.object({
  ...limitVariables,
  PORT: v.optional(whole(0, 65_535), '3000'),
  HOST: v.optional(v.string(), '0.0.0.0'),
  DATA_DIR: v.optional(v.string(), 'data'),
  BACKUP_DIR: v.optional(v.string()),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.regex(/^postgres(?:ql)?:\/\//, said.postgres))),
  PUBLIC_URL: v.optional(origin),
  TRUST_PROXY: v.optional(whole(0, 10), '0'),
  SHARED_CACHE: v.optional(whole(0, 3600), '0'),
  SHARED_CACHE_PURGE: v.optional(v.pipe(v.string(), v.check(isPurgeCall, said.purge))),
  SHARED_CACHE_PURGE_HEADER: v.optional(v.pipe(v.string(), v.regex(purgeHeader, said.header))),
  SHARED_CACHE_PURGE_BODY: v.optional(v.pipe(v.string(), v.check(isJson, said.json))),
  ALLOWED_ORIGINS: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(',').filter((part) => part.trim() !== '')),
      v.array(origin),
    ),
    '',
  ),
  OWNER_EMAIL: v.optional(v.string()),
  OWNER_PASSWORD: v.optional(v.string()),
  METRICS_TOKEN: v.optional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]{20,200}$/, said.token))),
  SMTP_URL: v.optional(v.pipe(v.string(), v.check(isMailServer, said.mailServer))),
  SMTP_FROM: v.optional(v.pipe(v.string(), v.regex(mailAddress, said.mailAddress))),
  VAPID_PUBLIC_KEY: v.optional(v.string()),
  VAPID_PRIVATE_KEY: v.optional(v.string()),
  VAPID_SUBJECT: v.optional(
    v.pipe(v.string(), v.regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*)$/, said.subject)),
  ),
  NOTIFY_EVERY: v.optional(whole(0, 86_400)),
  /** What the one above was called. */
  RING_EVERY: v.optional(whole(0, 86_400), '3600'),
  S3_URL: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.trim().replace(/\/$/, '')),
      v.check(isBucket, said.bucket),
    ),
  ),
  S3_REGION: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,60}$/, said.region))),
  S3_ACCESS_KEY_ID: v.optional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/, said.visible))),
  S3_SECRET_ACCESS_KEY: v.optional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/, said.visible))),
  [serviceAccountName]: v.optional(
    v.pipe(
      v.string(),
      v.rawTransform(({ dataset, addIssue, NEVER }) => {
        try {
          return parseServiceAccount(dataset.value)
        } catch (error) {
          addIssue({ message: messageOf(error) })
          return NEVER
        }
      }),
    ),
  ),
})

/** The configuration of an environment. Throws an error that lists everything wrong with it, without the values. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { given, faults } = readVariables(env)
  const parsed = v.safeParse(variables, given)
  for (const issue of parsed.success ? [] : parsed.issues) {
    faults.push(`${String(issue.path?.[0]?.key)} ${issue.message}`)
  }
  if ('OWNER_EMAIL' in given !== 'OWNER_PASSWORD' in given) {
    faults.push(fill(said.together, { names: 'OWNER_EMAIL, OWNER_PASSWORD' }))
  }
  const lacks = (name: string, other: string) => faults.push(fill(said.needs, { name, other }))
  if ('SMTP_FROM' in given && !('SMTP_URL' in given)) lacks('SMTP_FROM', 'SMTP_URL')
  if ('SHARED_CACHE_PURGE' in given && !(Number(given['SHARED_CACHE']) > 0)) {
    lacks('SHARED_CACHE_PURGE', 'SHARED_CACHE')
  }
  for (const name of ['SHARED_CACHE_PURGE_HEADER', 'SHARED_CACHE_PURGE_BODY']) {
    if (name in given && !('SHARED_CACHE_PURGE' in given)) lacks(name, 'SHARED_CACHE_PURGE')
  }
  const ofBucket = bucketNames.filter((name) => name in given)
  if (ofBucket.length > 0 && ofBucket.length < bucketNames.length) {
    faults.push(fill(said.together, { names: bucketNames.join(', ') }))
  }
  faults.push(...keyFaults(given))
  if (faults.length > 0 || !parsed.success) {
    throw new Error(fill(said.unusable, { faults: faults.map((f) => `- ${f}`).join('\n') }))
  }
  return toConfig(parsed.output)
}

const bucketNames = ['S3_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

function keyFaults(given: Readonly<Record<string, unknown>>): readonly string[] {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = given
  if (publicKey === undefined && privateKey === undefined) return []
  if (typeof publicKey !== 'string' || typeof privateKey !== 'string') {
    return [fill(said.together, { names: 'VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY' })]
  }
  if (isKeyPair({ publicKey, privateKey })) return []
  return [said.noKeyPair]
}

function toPush(set: v.InferOutput<typeof variables>, publicUrl: string): Config['push'] {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = set
  const hasKeys = publicKey !== undefined && privateKey !== undefined
  return {
    ...(hasKeys && { keys: { publicKey, privateKey } }),
    subject: subjectOf({ given: set.VAPID_SUBJECT, publicUrl, owner: set.OWNER_EMAIL }),
    notifyEveryMs: (set.NOTIFY_EVERY ?? set.RING_EVERY) * 1000,
  }
}

function toBucket(set: v.InferOutput<typeof variables>): Pick<Config, 's3'> {
  const { S3_URL: url, S3_REGION: region } = set
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = set
  if (url === undefined || accessKeyId === undefined || secretAccessKey === undefined) return {}
  return { s3: { url, accessKeyId, secretAccessKey, ...(region !== undefined && { region }) } }
}

function toPurge(set: v.InferOutput<typeof variables>): Pick<Config, 'purge'> {
  const { SHARED_CACHE_PURGE: address, SHARED_CACHE_PURGE_HEADER: header } = set
  const { SHARED_CACHE_PURGE_BODY: body } = set
  return address === undefined ? {} : { purge: purgeCall({ address, header, body }) }
}

function toConfig(set: v.InferOutput<typeof variables>): Config {
  const { OWNER_EMAIL: userName, OWNER_PASSWORD: password } = set
  const publicUrl = set.PUBLIC_URL ?? `http://localhost:${set.PORT}`
  return {
    port: set.PORT,
    host: set.HOST,
    dataDir: set.DATA_DIR,
    database:
      set.DATABASE_URL === undefined
        ? { engine: 'sqlite', file: join(set.DATA_DIR, 'tintero.sqlite') }
        : { engine: 'postgres', url: set.DATABASE_URL },
    backupDir: set.BACKUP_DIR ?? join(set.DATA_DIR, 'backups'),
    publicUrl,
    trustProxy: set.TRUST_PROXY,
    sharedCacheS: set.SHARED_CACHE,
    ...toPurge(set),
    allowedOrigins: set.ALLOWED_ORIGINS,
    ...(userName !== undefined && password !== undefined && { owner: { userName, password } }),
    limits: limitsOf(set),
    ...(set.METRICS_TOKEN !== undefined && { metricsToken: set.METRICS_TOKEN }),
    push: toPush(set, publicUrl),
    ...(set.SMTP_URL !== undefined && {
      smtp: smtpAccount(set.SMTP_URL, set.SMTP_FROM, publicUrl),
    }),
    ...toBucket(set),
    ...(set.FIREBASE_SERVICE_ACCOUNT && { firebase: set.FIREBASE_SERVICE_ACCOUNT }),
  }
}

/** The variables that say something: empty ones count as absent, and a secret may stand in the file that `NAME_FILE` names. */
function readVariables(env: NodeJS.ProcessEnv) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const faults: string[] = []
  for (const name of secrets) {
    const file = given[`${name}_FILE`]
    if (file === undefined) continue
    if (name in given) faults.push(fill(said.exclude, { name }))
    try {
      given[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    } catch (error) {
      faults.push(fill(said.unreadable, { name, message: refusalOf(error) }))
    }
  }
  return { given, faults }
}

/** Whether only this machine can reach the address. */
export function isLocal(address: string): boolean {
  return isOwnMachine(new URL(address).hostname)
}

/** Whether the text is the address of a bucket: nothing of it is a secret or a question. */
function isBucket(text: string): boolean {
  const url = URL.parse(text)
  const isPlain =
    url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isPlain && /^https?:$/.test(url.protocol) && /^\/[\w.-]*$/.test(url.pathname)
}

/** Whether the text is an origin and no more. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}
