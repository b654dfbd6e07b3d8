import { useEffect, useRef, useState } from 'react'
import { useOutbox } from '#client/outbox/page-outbox.ts'
import { summaryOf } from './sync-summary.ts'

const everyMs = 5_000

/** Speaks politely and not at every change; silent until something changes. */
export function SyncAnnouncer() {
  const { sentence } = summaryOf(useOutbox().operations)
  const [known, setKnown] = useState({ sentence, aloud: '' })
  const saidAt = useRef(-everyMs)
  useEffect(() => {
    if (sentence === known.sentence) return undefined
    const say = () => {
      saidAt.current = performance.now()
      setKnown({ sentence, aloud: sentence })
    }
    const timer = setTimeout(say, Math.max(0, saidAt.current + everyMs - performance.now()))
    return () => clearTimeout(timer)
  }, [sentence, known])
  return (
    <span className="sr-only" role="status">
      {known.aloud}
    </span>
  )
}
