import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Device } from '#contract/notifications/push.ts'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { ApiError } from '#client/data/api.ts'
import { testDevice } from './notifications.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { Button } from '#client/ui/button.tsx'

interface Outcome {
  readonly isGood: boolean
  readonly words: string
}

/** Sends this device a sample and says in words what came of it. */
export function PushTest({ device }: { readonly device: Device }) {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const send = async () => {
    setBusy(true)
    setOutcome(undefined)
    try {
      const { state, mensaje } = await testDevice(queryClient, device.id)
      setOutcome({ isGood: state === 'sent', words: mensaje })
    } catch (cause) {
      logProblem('The test was not sent', cause)
      const reason = cause instanceof ApiError ? cause.mensaje : undefined
      setOutcome({ isGood: false, words: reason ?? noticeTexts.testFailed })
    }
    setBusy(false)
  }
  return (
    <div className="setting">
      <div>
        <b>{noticeTexts.test}</b>
        <p>{noticeTexts.testHint}</p>
      </div>
      <Button tone="ghost" small icon="bell" busy={isBusy} onClick={() => void send()}>
        {isBusy ? noticeTexts.sending : noticeTexts.sendTest}
      </Button>
      <p className={outcome?.isGood === false ? 'saved field-error' : 'saved'} role="status">
        {outcome?.words}
      </p>
    </div>
  )
}
