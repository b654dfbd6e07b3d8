import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Device } from '#contract/push.ts'
import { fill } from '#contract/text.ts'
import { noticeTexts } from '#contract/texts-inbox.ts'
import { pushStateQuery, turnOff } from '#client/data/notifications.ts'
import type { PushState } from '#client/platform/push-channel.ts'
import { switchOn } from './switch-push.ts'

const sentences: Readonly<Record<PushState, string>> = {
  on: noticeTexts.on,
  off: noticeTexts.off,
  denied: noticeTexts.denied,
  unsupported: noticeTexts.unsupported,
  'needs-install': noticeTexts.needsInstall,
}

interface PushSwitchProps {
  /** What the server knows of this device; undefined when it does not ring it. */
  readonly own: Device | undefined
  readonly others: readonly Device[]
}

/** Turns this device's notifications on and off, and says how it stands. */
export function PushSwitch({ own, others }: PushSwitchProps) {
  const queryClient = useQueryClient()
  const { data: state } = useQuery(pushStateQuery)
  // What was just chosen is shown before browser and server have agreed.
  const [chosen, setChosen] = useState<boolean>()
  const [trouble, setTrouble] = useState('')
  const isPossible = state === 'on' || state === 'off'
  // An address that the server does not know never rings.
  const isOn = state === 'on' && own !== undefined

  const turn = async (wanted: boolean) => {
    // First: the browser asks the person only while the click lasts.
    const turning = wanted ? switchOn(queryClient) : switchOff(queryClient)
    setChosen(wanted)
    setTrouble('')
    setTrouble((await turning) ?? '')
    setChosen(undefined)
  }
  return (
    <div className="setting">
      <div>
        <b id="push-label">{noticeTexts.switch}</b>
        <p id="push-state" role="status">
          {sentenceOf(isOn ? 'on' : state === 'on' ? 'off' : state)}
          {others.length > 0
            ? ` ${fill(noticeTexts.alsoOn, { names: others.map(({ label }) => label).join(', ') })}`
            : null}
        </p>
      </div>
      <input
        className="switch"
        type="checkbox"
        role="switch"
        aria-checked={chosen ?? isOn}
        aria-labelledby="push-label"
        aria-describedby="push-state"
        aria-busy={chosen !== undefined || undefined}
        checked={chosen ?? isOn}
        disabled={!isPossible || chosen !== undefined}
        onChange={(event) => void turn(event.target.checked)}
      />
      <p className={trouble ? 'saved field-error' : 'saved'} role="alert">
        {trouble}
      </p>
    </div>
  )

  async function switchOff(client: typeof queryClient): Promise<string | undefined> {
    return (await turnOff(client)) ? undefined : noticeTexts.notTurnedOff
  }
}

function sentenceOf(state: PushState | undefined): string {
  return state === undefined ? noticeTexts.checking : sentences[state]
}
