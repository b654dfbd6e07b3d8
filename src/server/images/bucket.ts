import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { AwsClient } from 'aws4fetch'
import { SaxesParser } from 'saxes'
import type { S3Bucket } from '../config.ts'
import { Problem, unavailable } from '../problem.ts'
import type { PictureFiles } from './picture-files.ts'

const readsWithinMs = 5000
const writesWithinMs = 20_000
const againAfterMs = 200
/** Pictures have a folder of the bucket for themselves: nothing else in it is touched. */
const folder = 'media/'

const contentTypes: Readonly<Record<string, string>> = { svg: 'image/svg+xml', webp: 'image/webp' }

interface Asked {
  /** The key, or the query after the question mark. */
  readonly path: string
  readonly bytes?: Uint8Array
}

/** Undefined for a file that is not there. */
type Ask = (method: string, asked: Asked) => Promise<Uint8Array<ArrayBuffer> | undefined>

/** Works with any storage service that speaks S3. It keeps or refuses a file as a whole. */
export function openBucket(bucket: S3Bucket): PictureFiles {
  const ask = createAsking(bucket)
  return {
    place: bucket.url,
    isRemote: true,
    write: async (files) => {
      await Promise.all(files.map(({ name, bytes }) => ask('PUT', { path: folder + name, bytes })))
    },
    read: (name) => ask('GET', { path: folder + name }),
    has: async (name) => (await ask('HEAD', { path: folder + name })) !== undefined,
    list: () => listAll(ask),
    remove: async (names) => {
      for (const name of names) await ask('DELETE', { path: folder + name })
    },
    // Not every service copies by itself.
    rename: async (name, other) => {
      const bytes = await ask('GET', { path: folder + name })
      if (!bytes) return
      await ask('PUT', { path: folder + other, bytes })
      await ask('DELETE', { path: folder + name })
    },
    // An interrupted upload leaves nothing there.
    sweepUnfinished: async () => undefined,
  }
}

async function listAll(ask: Ask) {
  const files: { readonly name: string; readonly at: Date }[] = []
  for (let token = ''; ;) {
    const more = token && `&continuation-token=${encodeURIComponent(token)}`
    const path = `?list-type=2&prefix=${encodeURIComponent(folder)}${more}`
    const page = textsOf(new TextDecoder().decode(await ask('GET', { path })))
    const moments = page('LastModified')
    for (const [i, key] of page('Key').entries()) {
      files.push({ name: key.slice(folder.length), at: new Date(moments[i] ?? 0) })
    }
    token = page('NextContinuationToken')[0] ?? ''
    if (token === '') return files
  }
}

/**
 * Signs each request. Any answer but success or an absent file is the service's fault and not the caller's: it is
 * reported as such, and the service's words go into the log.
 */
function createAsking({ url, region, accessKeyId, secretAccessKey }: S3Bucket): Ask {
  let client: Promise<AwsClient> | undefined
  const open = async () => {
    const { AwsClient: Client } = await import('aws4fetch')
    const keys = { accessKeyId, secretAccessKey, ...(region !== undefined && { region }) }
    return new Client({ ...keys, service: 's3' })
  }
  const send = async (method: string, { path, bytes }: Asked, signal: AbortSignal) => {
    client ??= open()
    const address = path.startsWith('?') ? url + path : `${url}/${path}`
    const sent = bytes && { body: Buffer.from(bytes), headers: headersOf(path, bytes) }
    // The signal is not part of the signed request, which Node would collect too early: Node forgets a signal that only
    // a request holds.
    const signed = await (await client).sign(address, { method, redirect: 'manual', ...sent })
    const answer = await fetch(signed, { signal })
    return { ok: answer.ok, status: answer.status, body: await answer.arrayBuffer() }
  }
  /** A service that sheds load asks for the request to be repeated. */
  const sendTwice = async (method: string, asked: Asked) => {
    const signal = AbortSignal.timeout(asked.bytes ? writesWithinMs : readsWithinMs)
    const first = await send(method, asked, signal)
    if (![429, 500, 502, 503].includes(first.status)) return first
    await wait(againAfterMs, undefined, { signal })
    return send(method, asked, signal)
  }
  return async (method, asked) => {
    const { ok, status, body } = await sendTwice(method, asked).catch((cause: unknown) => {
      throw unavailable(cause)
    })
    if (ok) return new Uint8Array(body)
    const [code = ''] = textsOf(new TextDecoder().decode(body))('Code')
    // An answer to HEAD has no body; the next request reveals a missing bucket.
    if (status === 404 && (method === 'HEAD' || code === 'NoSuchKey')) return undefined
    const cause = new Error(`${method} ${asked.path} was answered ${status} ${code}`)
    throw status === 507 ? new Problem('sin-espacio', { cause }) : unavailable(cause)
  }
}

/** The digest is signed with the rest, so that what is kept is what was sent. */
function headersOf(path: string, bytes: Uint8Array): Readonly<Record<string, string>> {
  return {
    'content-type': contentTypes[/\w+$/.exec(path)?.[0] ?? ''] ?? 'application/octet-stream',
    'x-amz-content-sha256': hash('sha256', bytes),
  }
}

/** The texts by the names of their elements; for broken XML, those before the fault. */
function textsOf(xml: string): (name: string) => readonly string[] {
  const found = new Map<string, string[]>()
  let text = ''
  const parser = new SaxesParser()
  parser.on('opentag', () => (text = ''))
  parser.on('text', (part) => (text += part))
  parser.on('closetag', ({ name }) => {
    const same = found.get(name)
    if (same) same.push(text)
    else found.set(name, [text])
  })
  parser.on('error', () => undefined)
  parser.write(xml).close()
  return (name) => found.get(name) ?? []
}
