import type { QueryClient } from '@tanstack/react-query'
import { fill } from '#contract/text.ts'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { ApiError } from '#client/data/api.ts'
import { pushStateQuery, turnOn } from './notifications.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { PushRefused } from './push-channel.ts'
import { readAnew } from '#client/owner/calls/read-anew.ts'

const reasons = {
  denied: noticeTexts.reasonDenied,
  silent: noticeTexts.reasonSilent,
  refused: noticeTexts.reasonRefused,
} as const

/** Resolves to the words for the owner when this device could not be switched on. Call it first in a click. */
export async function switchOn(queryClient: QueryClient): Promise<string | undefined> {
  try {
    await turnOn(queryClient)
    return undefined
  } catch (cause) {
    logProblem('This device was not made to ring', cause)
    void readAnew(queryClient, pushStateQuery.queryKey)
    return fill(noticeTexts.failed, { reason: reasonOf(cause) })
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof PushRefused) return reasons[cause.why]
  return (cause instanceof ApiError && cause.mensaje) || noticeTexts.reasonServer
}
