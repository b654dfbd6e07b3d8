import { useQueryClient } from '@tanstack/react-query'
import type { Device } from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { removeDevice, turnOff } from './notifications.ts'
import { Button } from '#client/ui/button.tsx'
import { useNow } from '#client/ui/use-now.ts'
import { longTime, nowEveryMs } from '#client/owner/inbox/message-words.ts'
import { toldOf } from '#client/owner/inbox/told-of.ts'

interface DeviceRowProps {
  readonly device: Device
  readonly isOwn: boolean
}

/** One device that rings, with the way to make it silent. */
export function DeviceRow({ device: { id, label, lastSentAt, trouble }, isOwn }: DeviceRowProps) {
  const queryClient = useQueryClient()
  const now = useNow(nowEveryMs)
  const remove = () => toldOf(isOwn ? turnOff(queryClient) : removeDevice(queryClient, id))
  return (
    <li className="setting">
      <div>
        <b>{isOwn ? `${label} (${noticeTexts.thisDevice})` : label}</b>
        <p>
          {lastSentAt === null
            ? noticeTexts.deviceNever
            : fill(noticeTexts.deviceSent, { when: longTime(lastSentAt, now) })}
        </p>
      </div>
      <Button
        tone="ghost"
        small
        aria-label={fill(noticeTexts.removeDevice, { name: label })}
        onClick={() => void remove()}
      >
        {noticeTexts.remove}
      </Button>
      {trouble ? <p className="saved field-error">{trouble}</p> : null}
    </li>
  )
}
