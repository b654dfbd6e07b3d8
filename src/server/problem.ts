import { ownHeader } from '#contract/api.ts'
import { problems, type ProblemBody, type ProblemCode } from '#contract/problem.ts'
import { locale } from '#contract/text.ts'
import type { FieldErrors } from '#contract/validate.ts'

interface Details {
  readonly errors?: FieldErrors
  /** The server's row, for a version that is no longer current. */
  readonly current?: unknown
  /** Replaces the code's own sentence. */
  readonly mensaje?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** A refusal the caller must hear of; thrown anywhere while answering, turned into an answer in one place. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly details: Details

  constructor(code: ProblemCode, details: Details = {}) {
    super(code, { cause: details.cause })
    this.code = code
    this.status = problems[code][0]
    this.details = details
  }
}

/** The `Problem` 503 for what passes by itself in some seconds: too much waits, or what is needed does not answer. */
export function unavailable(cause?: unknown): Problem {
  return new Problem('no-disponible', { headers: { 'retry-after': '5' }, cause })
}

/** What an error says; whatever else was thrown, as a text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What went wrong first. */
export function causeOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  return error.cause instanceof Error ? error.cause : error
}

/** What the log says of a failure beside its code: nothing of what the server itself turns away, whose stack would tell nothing. */
export function faultOf(error: unknown): { readonly error?: string } {
  if (error instanceof Problem && error.cause === undefined) return {}
  const cause = causeOf(error)
  return { error: cause.stack ?? cause.message }
}

/** The answer for a refusal; it never repeats what was submitted. `instance` is the request's id. */
export function problemResponse(problem: Problem, instance: string): Response {
  const [status, title, mensaje] = problems[problem.code]
  const { details } = problem
  const body: ProblemBody = {
    type: `/problemas/${problem.code}`,
    title,
    status,
    code: problem.code,
    mensaje: details.mensaje ?? mensaje,
    instance,
    ...(details.errors && { errors: toPointers(details.errors) }),
    ...(details.current !== undefined && { current: details.current }),
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'content-language': locale,
      'cache-control': 'private, no-store',
      [ownHeader]: '1',
      // RFC 9110 wants it with each 401: whoever is refused is told with what to come.
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...details.headers,
    },
  })
}

function toPointers(errors: FieldErrors) {
  return Object.entries(errors).map(([name, mensaje]) => ({ pointer: `/${name}`, mensaje }))
}
