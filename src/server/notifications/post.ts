import https, { type RequestOptions } from 'node:https'
import { pinnedLookup, type Reach } from './public-address.ts'

/** One post to a push service. */
interface Posting {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What a push service answers, as far as anybody looks. */
export interface PostAnswer {
  readonly status: number
  readonly retryAfter: string | null
  /** When it answered, by its own clock. */
  readonly date?: string | undefined
}

export type Post = (posting: Posting) => Promise<PostAnswer>

interface PostOptions extends Reach {
  /** A certificate to trust beside the machine's own. */
  readonly ca?: string | Buffer
  readonly withinMs?: number
}

/**
 * Posts to hosts on the internet only. The name is looked up once, and the connection goes to what that look found: a name
 * that leads elsewhere a moment later leads nobody there. Redirects are not followed.
 */
export function createPost({ ca, withinMs = 10_000, ...reach }: PostOptions = {}): Post {
  return async ({ endpoint, headers, body }) => {
    const signal = AbortSignal.timeout(withinMs)
    return send(endpoint, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
      lookup: await pinnedLookup(new URL(endpoint), reach, signal),
      agent: false,
      signal,
      ...(ca !== undefined && { ca }),
      body,
    })
  }
}

function send(
  endpoint: string,
  { body, ...options }: RequestOptions & { readonly body: Uint8Array },
): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const request = https.request(endpoint, options, (response) => {
      const { statusCode: status = 0, headers } = response
      response.destroy() // nobody reads what it says beside that
      resolve({ status, retryAfter: headers['retry-after'] ?? null, date: headers.date })
    })
    request.on('error', reject)
    // Whoever answers with another protocol is cut off without an error.
    request.on('close', () => reject(new Error('closed without an answer')))
    request.end(body)
  })
}
