import { useQuery } from '@tanstack/react-query'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { devicesQuery, failedPushesQuery, ownDeviceId, pushOfferQuery } from './notifications.ts'
import { DeviceRow } from './device-row.tsx'
import { FailedPushRow } from './failed-push-row.tsx'
import { PushSwitch, deviceStatusOf } from './push-switch.tsx'
import { PushTest } from './push-test.tsx'
import { useTrouble } from './use-trouble.ts'

/** Whether this device rings, a try, the other devices, and what did not arrive. */
export function PushSettings() {
  const { data: offer } = useQuery(pushOfferQuery)
  const list = useQuery(devicesQuery)
  const trouble = useTrouble(list.error)
  const devices = list.data ?? []
  const { data: failed = [] } = useQuery(failedPushesQuery)
  const own = devices.find(({ id }) => id === ownDeviceId())
  return (
    <>
      <div className="card">
        <PushSwitch
          status={deviceStatusOf({
            isListed: own !== undefined,
            isKnown: list.isSuccess,
            trouble,
          })}
          others={devices.filter((device) => device !== own)}
        />
        {own ? <PushTest device={own} /> : null}
        {offer?.trouble ? (
          <div className="setting">
            <p className="saved field-error">{offer.trouble}</p>
          </div>
        ) : null}
      </div>
      {devices.length > 0 ? (
        <>
          <h3 className="setting-head">{noticeTexts.devices}</h3>
          <ul className="card">
            {devices.map((device) => (
              <DeviceRow key={device.id} device={device} isOwn={device === own} />
            ))}
          </ul>
        </>
      ) : null}
      {failed.length > 0 ? (
        <>
          <h3 className="setting-head">{noticeTexts.lost}</h3>
          <ul className="card">
            {failed.map((push) => (
              <FailedPushRow key={push.id} push={push} />
            ))}
          </ul>
        </>
      ) : null}
    </>
  )
}
