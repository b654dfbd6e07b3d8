import { inboxTexts } from '#contract/texts/inbox.ts'
import { ApiError } from '#client/data/api.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { showNotice } from '#client/ui/notices.ts'

/** Resolves to whether the call succeeded; a failure is shown to the owner. */
export async function toldOf(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (cause) {
    logProblem('Something the owner asked for was not done', cause)
    const reason = cause instanceof ApiError ? cause.mensaje : undefined
    void showNotice('error-snackbar', reason ?? inboxTexts.notDone)
    return false
  }
}
