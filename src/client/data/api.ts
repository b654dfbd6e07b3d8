import { ownHeader, savedCopyHeader } from '#contract/api.ts'
import type { ProblemBody, ProblemCode } from '#contract/problem.ts'
import { noteAnswer } from '#client/browser/answers.ts'
import { getSession } from './session.ts'

/** The server's answer to a call it accepted; `json` is undefined when the answer has no JSON body. */
export interface ApiAnswer {
  readonly status: number
  readonly json: unknown
  readonly headers: Headers
}

export interface CallOptions {
  /** A `Blob` goes as it is, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The session's token; calls that must not carry one leave it out. */
  readonly token?: string | undefined
  /** What gives it up, in place of the time that any call has. */
  readonly signal?: AbortSignal | undefined
  /** What sends it instead of `fetch`, for uploads that show their progress. */
  readonly send?: (url: string, init: RequestInit) => Promise<Response>
}

/** The server said no. Any other rejection of a call means that no answer came. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ProblemCode | undefined
  /** The server's sentence for people, when it gave one. */
  readonly mensaje: string | undefined
  readonly errors: NonNullable<ProblemBody['errors']>
  /** The server's row, when the version sent was no longer the current one. */
  readonly current: unknown
  readonly retryAfterMs: number | undefined

  constructor({ status, json, headers }: ApiAnswer) {
    const body = (typeof json === 'object' && json !== null ? json : {}) as Partial<ProblemBody>
    super(body.mensaje ?? `The server answered ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.code = body.code
    this.mensaje = typeof body.mensaje === 'string' ? body.mensaje : undefined
    this.errors = Array.isArray(body.errors) ? body.errors : []
    this.current = body.current
    const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
    this.retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined
  }
}

/** Where the API is: a path of the site's own, or an address elsewhere. */
export const apiBase: string = import.meta.env.VITE_API_BASE ?? '/api/'
/** How long a call may go without an answer: a server that stands still never ends one. */
const answerWithinMs = 20_000

/**
 * One call to the API; the path is relative to its base.
 * Rejects with `ApiError` when the server said no and with another error when it did not answer, or something on the way did in
 * its place. A refused token asks for a new sign-in.
 */
export async function callApi(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  {
    body,
    headers,
    token,
    signal = AbortSignal.timeout(answerWithinMs),
    send = fetch,
  }: CallOptions = {},
): Promise<ApiAnswer> {
  const isFile = body instanceof Blob
  const response = await send(apiBase + path, {
    method,
    headers: {
      ...(body === undefined || isFile ? {} : { 'Content-Type': 'application/json' }),
      // The word and the token are joined: the product's calls have always been so.
      ...(token ? { Authorization: `Bearer${token}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    signal,
    // The API never sends anybody elsewhere.
    redirect: 'error',
  })
  const { status, headers: received } = response
  const answer = { status, json: await readJson(response), headers: received }
  if (!isOurs(answer)) throw new TypeError(`Not our answer: ${status}`)
  if (response.ok) {
    noteAnswer(path, received.get(savedCopyHeader))
    return answer
  }
  // An answer to an older token says nothing of the session that was begun since.
  if (token && token === getSession().token && status === 401) {
    await import('#client/session/renewal.ts').then(({ refused }) => refused())
  }
  throw new ApiError(answer)
}

/** Whether the server itself answered: the answer says so, and its body is one that the server gives with this status. */
function isOurs({ status, json, headers }: ApiAnswer): boolean {
  if (!headers.has(ownHeader)) return false
  if (status < 400) return status === 204 || json !== undefined
  return (json as Partial<ProblemBody> | undefined)?.status === status
}

async function readJson(response: Response): Promise<unknown> {
  if (!/\bjson\b/.test(response.headers.get('Content-Type') ?? '')) return undefined
  return response.json()
}
