import type { Route } from 'playwright/test'
import { ownHeader } from '#contract/api.ts'
import { problems, type ProblemBody, type ProblemCode } from '#contract/problem.ts'

/** An answer of the API as the product's own server gives it. */
export function ownAnswer(json: unknown, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers)
  headers.set(ownHeader, '1')
  return Response.json(json, { ...init, headers })
}

/** The body of a refusal of the product's own server. */
export function problemBody(code: ProblemCode, more: Partial<ProblemBody> = {}): ProblemBody {
  const [status, title, mensaje] = problems[code]
  return { type: `/problemas/${code}`, title, status, code, mensaje, instance: 'a-1', ...more }
}

/** A refusal of the product's own server. */
export function ownRefusal(
  code: ProblemCode,
  more: Partial<ProblemBody> = {},
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = problemBody(code, more)
  return ownAnswer(body, { status: body.status, headers })
}

/** Answers a page's call as the product's own server does. */
export function answer(route: Route, json: unknown, status = 200): Promise<void> {
  return route.fulfill({ status, json, headers: { [ownHeader]: '1' } })
}

/** Answers a page's call with a refusal of the product's own server. */
export function refuse(
  route: Route,
  code: ProblemCode,
  more: Partial<ProblemBody> = {},
): Promise<void> {
  const json = problemBody(code, more)
  return answer(route, json, json.status)
}
