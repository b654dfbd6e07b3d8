import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Device } from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { ownDeviceId, pushStateQuery, turnOff } from './notifications.ts'
import type { PushState } from './push-channel.ts'
import { switchOn } from './switch-push.ts'
import type { Trouble } from '#client/owner/calls/use-trouble.ts'
import { Switch } from '#client/ui/switch.tsx'
import { LineOutcome } from '#client/owner/settings/setting-line.tsx'

const sentences: Readonly<Record<Exclude<PushState, 'on'>, string>> = {
  off: noticeTexts.off,
  denied: noticeTexts.denied,
  unsupported: noticeTexts.unsupported,
  'needs-install': noticeTexts.needsInstall,
}

/** The server's list has this device or not, is being asked for, or cannot be read. */
type DeviceStatus = 'listed' | 'unlisted' | 'asking' | 'offline' | 'failed'

interface Answered {
  readonly isListed: boolean
  /** Whether the server's list is loaded. */
  readonly isKnown: boolean
  readonly trouble: Trouble | undefined
}

/** A list that was loaded once counts until the next one comes. */
export function deviceStatusOf({ isListed, isKnown, trouble }: Answered): DeviceStatus {
  if (isListed) return 'listed'
  if (trouble) return trouble === 'offline' ? 'offline' : 'failed'
  return isKnown ? 'unlisted' : 'asking'
}

/** Where the browser lets the device ring, only the server knows whether it does. */
export function stateWords(state: PushState | undefined, status: DeviceStatus): string {
  if (state === undefined) return noticeTexts.checking
  return state === 'on' ? statusSentences[status] : sentences[state]
}

const statusSentences: Readonly<Record<DeviceStatus, string>> = {
  listed: noticeTexts.on,
  // An address that the server does not know never rings.
  unlisted: noticeTexts.off,
  asking: noticeTexts.checking,
  offline: noticeTexts.unknown,
  failed: noticeTexts.unknownAtServer,
}

interface PushSwitchProps {
  readonly status: DeviceStatus
  readonly others: readonly Device[]
  /** Whether there were others when this device last read them: their line has its room before they are read anew. */
  readonly areOthersAwaited: boolean
}

export function PushSwitch({ status, others, areOthersAwaited }: PushSwitchProps) {
  const queryClient = useQueryClient()
  const { data: state } = useQuery(pushStateQuery)
  // Shows the choice before browser and server have agreed.
  const [chosen, setChosen] = useState<boolean>()
  const [trouble, setTrouble] = useState('')
  const isPossible = state === 'on' || state === 'off'
  // Until the server answers, this device's own record counts.
  const isOn = state === 'on' && status !== 'unlisted' && ownDeviceId() !== undefined

  const turn = async (wanted: boolean) => {
    // Comes first, because the browser asks the person only during the click.
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
          {stateWords(state, status)}
          {others.length > 0 || areOthersAwaited ? (
            <span className="also-on">
              {others.length > 0 &&
                ` ${fill(noticeTexts.alsoOn, { names: others.map(({ label }) => label).join(', ') })}`}
            </span>
          ) : null}
        </p>
      </div>
      <Switch
        isOn={chosen ?? isOn}
        // Not disabled meanwhile: it would lose the focus.
        onTurn={(wanted) => chosen === undefined && void turn(wanted)}
        aria-labelledby="push-label"
        aria-describedby="push-state"
        aria-busy={chosen !== undefined || undefined}
        disabled={!isPossible}
        aria-disabled={chosen !== undefined || undefined}
      />
      <LineOutcome words={trouble} isBad={trouble !== ''} role="alert" />
    </div>
  )

  async function switchOff(client: typeof queryClient): Promise<string | undefined> {
    return (await turnOff(client)) ? undefined : noticeTexts.notTurnedOff
  }
}
