import type { Checked } from '#contract/validate.ts'
import { Problem } from '../problem.ts'

/** Throws 422 with one message per faulty field. */
export function valueOrThrow<T>(verdict: Checked<T>): T {
  if (verdict.ok) return verdict.value
  throw new Problem('datos-no-validos', { errors: verdict.errors })
}
