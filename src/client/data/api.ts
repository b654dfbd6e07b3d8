import { ownHeader, savedCopyHeader } from '#contract/api.ts'
import type { ProblemBody, ProblemCode } from '#contract/problem.ts'
import { noteAnswer } from '#client/browser/answers.ts'
import { getSession } from './session.ts'

/** `json` is undefined when the answer has no JSON body. */
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
  /** Replaces the time limit that every other call has. */
  readonly signal?: AbortSignal | undefined
  /** Replaces `fetch`, for uploads that show their progress. */
  readonly send?: (url: string, init: RequestInit) => Promise<Response>
}

/** The server refused. Any other rejection of a call means that no answer came. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ProblemCode | undefined
  /** The server's sentence for people, when it gave one. */
  readonly mensaje: string | undefined
  readonly errors: NonNullable<ProblemBody['errors']>
  /** The server's row, when the version that was sent is no longer the current one. */
  readonly current: unknown
  readonly retryAfterMs: number | undefined

  constructor({ status, json, headers }: ApiAnswer) {
    // Of what is no object there is nothing to read.
    const body = Object(json) as Partial<ProblemBody>
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
/** How long a call may go without an answer, in milliseconds: without a limit a hung server would never end one. */
const answerWithinMs = 20_000

let read: typeof fetch | undefined

/** Replaces `fetch` for what is only read: where a worker looks after the page, it waits while a new version takes over. */
export function readBy(way: typeof fetch): void {
  read = way
}

/**
 * Rejects with `ApiError` when the server refused and with another error when it did not answer, or when something on
 * the way answered in its place. A refused token asks for a new sign-in.
 */
export async function callApi(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  {
    body,
    headers,
    token,
    signal = AbortSignal.timeout(answerWithinMs),
    send = (method === 'GET' && read) || fetch,
  }: CallOptions = {},
): Promise<ApiAnswer> {
  const isFile = body instanceof Blob
  const response = await send(apiBase + path, {
    method,
    headers: {
      ...(body !== undefined && !isFile && { 'Content-Type': 'application/json' }),
      // The word and the token are joined, as the specification asks.
      ...(token && { Authorization: `Bearer${token}` }),
      ...headers,
    },
    // Nothing, for no body.
    body: isFile ? body : JSON.stringify(body),
    signal,
    // The API never redirects.
    redirect: 'error',
  })
  const { status, headers: received } = response
  const answer = { status, json: await readJson(response), headers: received }
  if (!isOurs(answer)) throw new TypeError(`Not our answer: ${status}`)
  if (response.ok) {
    noteAnswer(path, received.get(savedCopyHeader))
    return answer
  }
  // A refusal of an older token says nothing of the session that began since.
  if (token && token === getSession().token && status === 401) {
    await import('#client/session/renewal.ts').then(({ refused }) => refused())
  }
  throw new ApiError(answer)
}

/**
 * Whether the server itself answered: the answer says so, and its body is one that the server gives with this status.
 */
function isOurs({ status, json, headers }: ApiAnswer): boolean {
  if (!headers.has(ownHeader)) return false
  if (status < 400) return status === 204 || json !== undefined
  return (json as Partial<ProblemBody> | undefined)?.status === status
}

async function readJson(response: Response): Promise<unknown> {
  if (!/\bjson\b/.test(response.headers.get('Content-Type') ?? '')) return undefined
  return response.json()
}
