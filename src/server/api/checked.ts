import type { FieldErrors } from '#contract/validate.ts'
import { Problem } from '../problem.ts'

type Verdict<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: FieldErrors }

/** Throws 422 with one message per faulty field. */
export function valueOrThrow<T>(verdict: Verdict<T>): T {
  if (verdict.ok) return verdict.value
  throw new Problem('datos-no-validos', { errors: verdict.errors })
}
