import { cliTexts } from '#contract/texts/cli.ts'
import { fill } from '#contract/text.ts'
import { isDiskFull } from './disk/disk.ts'
import { DbError, LostConnection, toDbError } from './db/errors.ts'

/** The system's own words are said as well: whoever asks for help needs them. */
const sentences: Readonly<Record<string, string>> = {
  EROFS: cliTexts.readOnly,
  EACCES: cliTexts.readOnly,
  EPERM: cliTexts.readOnly,
  EEXIST: cliTexts.notAFolder,
  ENOTDIR: cliTexts.notAFolder,
  ERR_MODULE_NOT_FOUND: cliTexts.incomplete,
  ERR_INVALID_URL: cliTexts.noPostgresAddress,
  // PostgreSQL's for a wrong password, a user who may not come in and a database that is not there.
  '28P01': cliTexts.postgresRefuses,
  28000: cliTexts.postgresRefuses,
  '3D000': cliTexts.postgresRefuses,
}

/** Why a start or a command failed, in a sentence that names what to do. */
export function failureSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof LostConnection) return fill(cliTexts.noPostgres, { message: error.why })
  const [message = ''] = error.message.split('\n')
  const fault = toDbError(error)?.fault
  if (fault === 'read-only') return fill(cliTexts.readOnly, { message })
  if (fault === 'full' || isDiskFull(error)) return fill(cliTexts.diskFull, { message })
  // What the program throws of itself is a sentence already.
  if (error instanceof DbError) return error.message
  const { code = '', syscall } = error as NodeJS.ErrnoException
  // A folder that cannot be made on a disk that lets nothing be written is said to be absent.
  if (code === 'ENOENT' && syscall === 'mkdir') return fill(cliTexts.readOnly, { message })
  const sentence = sentences[code]
  if (sentence !== undefined) return fill(sentence, { message })
  if (fault === 'busy') return fill(cliTexts.locked, { message })
  return 'errcode' in error ? fill(cliTexts.unusable, { message }) : error.message
}
