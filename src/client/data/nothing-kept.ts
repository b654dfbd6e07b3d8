import { offlineTexts } from '#contract/texts-offline.ts'
import { logProblem } from '#client/platform/log.ts'
import { recall, remember } from '#client/platform/remembered.ts'
import { notify } from '#client/ui/notices.ts'

const fact = 'told-nothing-kept'

/** Says, once per device, that its browser keeps nothing of this site; every time, it is logged. */
export function tellNothingKept(cause: unknown): void {
  logProblem('This device keeps nothing of the site', cause)
  if (recall(fact)) return
  remember(fact, '1')
  void notify('info-snackbar', offlineTexts.nothingKept)
}
