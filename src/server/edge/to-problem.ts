import { isDiskFull } from '../disk/disk.ts'
import { toDbError } from '../db/errors.ts'
import { Problem, unavailable } from '../problem.ts'

/** An error that the program does not know counts as its own fault. */
export function toProblem(cause: unknown): Problem {
  if (cause instanceof Problem) return cause
  const fault = toDbError(cause)?.fault
  if (fault === 'duplicate') return new Problem('ya-existe', { cause })
  if (fault === 'busy' || fault === 'read-only') return unavailable(cause)
  return new Problem(fault === 'full' || isDiskFull(cause) ? 'sin-espacio' : 'error-interno', {
    cause,
  })
}
