import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Device, FailedPush } from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { ApiError } from '#client/data/api.ts'
import { longTime } from '#client/owner/inbox/message-words.ts'
import { toldOf } from '#client/owner/calls/told-of.ts'
import { Button } from '#client/ui/button.tsx'
import { LineOutcome, SettingLine } from '#client/owner/settings/setting-line.tsx'
import { useRowFocus } from '#client/ui/lost-focus.ts'
import { showNotice } from '#client/ui/notices.ts'
import { useNow } from '#client/ui/use-now.ts'
import {
  devicesQuery,
  failedPushesQuery,
  ownDeviceId,
  pushOfferQuery,
  removeDevice,
  settleFailedPush,
  testDevice,
  turnOff,
} from './notifications.ts'
import { PushSwitch, deviceStatusOf } from './push-switch.tsx'
import { useLastCount } from '#client/owner/settings/waiting-rows.tsx'
import { useKeptRoom } from '#client/owner/calls/use-kept-room.ts'
import { useTrouble } from '#client/owner/calls/use-trouble.ts'

export function PushSettings() {
  const { data: offer } = useQuery(pushOfferQuery)
  const list = useQuery(devicesQuery)
  const trouble = useTrouble(list.error)
  const devices = list.data ?? []
  const lost = useQuery(failedPushesQuery)
  const failed = lost.data ?? []
  const deviceRows = useRowFocus<HTMLUListElement>()
  const failedRows = useRowFocus<HTMLUListElement>()
  const own = devices.find(({ id }) => id === ownDeviceId())
  const others = devices.filter((device) => device !== own)
  // Until the server answers, this device's own record counts.
  const ownId = own?.id ?? (list.isPending ? ownDeviceId() : undefined)
  const room = useKeptRoom({ name: 'devices', isRead: list.isSuccess && lost.isSuccess })
  const lastOthers = useLastCount({ name: 'devices', rows: list.data && others, atFirst: 0 })
  return (
    <>
      <div className="card">
        <PushSwitch
          status={deviceStatusOf({
            isListed: own !== undefined,
            isKnown: list.isSuccess,
            trouble,
          })}
          others={others}
          areOthersAwaited={list.isPending && lastOthers > 0}
        />
        {ownId === undefined ? null : <PushTest id={ownId} />}
        {offer?.trouble ? (
          <div className="setting">
            <p className="saved field-error">{offer.trouble}</p>
          </div>
        ) : null}
      </div>
      <div className="room" {...room}>
        {devices.length > 0 ? (
          <>
            <h3 className="setting-head">{noticeTexts.devices}</h3>
            <ul className="card" {...deviceRows}>
              {devices.map((device) => (
                <DeviceRow key={device.id} device={device} isOwn={device === own} />
              ))}
            </ul>
          </>
        ) : null}
        {failed.length > 0 ? (
          <>
            <h3 className="setting-head">{noticeTexts.lost}</h3>
            <ul className="card" {...failedRows}>
              {failed.map((push) => (
                <FailedPushRow key={push.id} push={push} />
              ))}
            </ul>
          </>
        ) : null}
      </div>
    </>
  )
}

interface DeviceRowProps {
  readonly device: Device
  readonly isOwn: boolean
}

function DeviceRow({ device: { id, label, lastSentAt, trouble }, isOwn }: DeviceRowProps) {
  const queryClient = useQueryClient()
  const now = useNow()
  const [isBusy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    if (!isOwn) await toldOf(removeDevice(queryClient, id))
    else if (!(await turnOff(queryClient))) {
      void showNotice('error-snackbar', noticeTexts.notTurnedOff)
    }
    setBusy(false)
  }
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
        busy={isBusy}
        aria-label={fill(noticeTexts.removeDevice, { name: label })}
        onClick={() => void remove()}
      >
        {noticeTexts.remove}
      </Button>
      {trouble ? <p className="saved field-error">{trouble}</p> : null}
    </li>
  )
}

function FailedPushRow({ push }: { readonly push: FailedPush }) {
  const { id, what, device: name, why, at } = push
  const queryClient = useQueryClient()
  const now = useNow()
  const [underWay, setUnderWay] = useState<'retry' | 'discard'>()
  const settle = async (how: 'retry' | 'discard') => {
    if (underWay) return
    setUnderWay(how)
    await toldOf(settleFailedPush(queryClient, id, how))
    setUnderWay(undefined)
  }
  return (
    <li className="setting">
      <div>
        <b>{what}</b>
        <p>
          {longTime(at, now)} · {fill(noticeTexts.lostTo, { name, why })}
        </p>
      </div>
      <div className="actions">
        <Button
          tone="ghost"
          small
          busy={underWay === 'retry'}
          aria-label={fill(noticeTexts.retryNotice, { name })}
          onClick={() => void settle('retry')}
        >
          {noticeTexts.retry}
        </Button>
        <Button
          tone="quiet"
          small
          busy={underWay === 'discard'}
          aria-label={fill(noticeTexts.discardNotice, { name })}
          onClick={() => void settle('discard')}
        >
          {noticeTexts.discard}
        </Button>
      </div>
    </li>
  )
}

interface Outcome {
  readonly isGood: boolean
  readonly words: string
}

function PushTest({ id }: { readonly id: string }) {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const send = async () => {
    setBusy(true)
    setOutcome(undefined)
    try {
      const { state, mensaje } = await testDevice(queryClient, id)
      setOutcome({ isGood: state === 'sent', words: mensaje })
    } catch (cause) {
      logProblem('The test was not sent', cause)
      const reason = cause instanceof ApiError ? cause.mensaje : undefined
      setOutcome({ isGood: false, words: reason ?? noticeTexts.testFailed })
    }
    setBusy(false)
  }
  return (
    <SettingLine title={noticeTexts.test} hint={noticeTexts.testHint}>
      <Button tone="ghost" small icon="bell" busy={isBusy} onClick={() => void send()}>
        {isBusy ? noticeTexts.sending : noticeTexts.sendTest}
      </Button>
      <LineOutcome words={outcome?.words} isBad={outcome?.isGood === false} />
    </SettingLine>
  )
}
