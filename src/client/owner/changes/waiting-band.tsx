import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { settingPlaces, settingWords } from '#contract/texts/setting-words.ts'
import { texts } from '#contract/texts/site.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { laneOf } from '#client/outbox/operation.ts'
import { useOutbox } from '#client/outbox/page-outbox.ts'
import { Icon } from '#client/ui/icon.tsx'
import { byAccount, countedWords, DiscardOthers, type LeftChanges } from './others-changes.tsx'

interface WaitingBandProps {
  /** Shown where nothing waits so. */
  readonly children: ReactNode
}

/** Says what keeps changes on this device although there is a connection, one reason at a time, with the way out. */
export function WaitingBand({ children }: WaitingBandProps) {
  const { operations, others = [], isReadOnly = false } = useOutbox()
  const [left] = byAccount(others)
  if (left) return <OthersBand left={left} />
  const waits = operations.some(({ subject }) => laneOf(subject) === 'content')
  return isReadOnly && waits ? <ClosedBand /> : children
}

function OthersBand({ left }: { readonly left: LeftChanges }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <div className="net-band">
      <Icon name="user" />
      <p>{countedWords('others', left)}</p>
      <button type="button" onClick={() => setAsked(true)}>
        {queueTexts.discard}
      </button>
      {isAsked && <DiscardOthers left={left} onAnswer={() => setAsked(false)} />}
    </div>
  )
}

function ClosedBand() {
  return (
    <div className="net-band info-tone">
      <Icon name="lock" />
      <p>{queueTexts.closed}</p>
      <Link to="/settings" hash={settingPlaces[settingWords.maintenance_readonly.group]}>
        {texts.settings}
      </Link>
    </div>
  )
}
