import { useEffect } from 'react'
import { getStored, setStored } from '#client/browser/device-storage.ts'

interface WaitingRowsProps {
  readonly count: number
  readonly className?: string
}

/** Keep the room of rows that have yet to come, so that nothing under them moves; hidden from screen readers. */
export function WaitingRows({ count, className = '' }: WaitingRowsProps) {
  return Array.from({ length: count }, (_, index) => (
    <li key={index} className={`waiting ${className}`} aria-hidden="true">
      <span className="skeleton" />
      <span>
        <span className="skeleton line head" />
        <span className="skeleton line long" />
      </span>
    </li>
  ))
}

interface LastCount {
  readonly name: 'sessions' | 'passkeys' | 'devices'
  /** Undefined until they have been read. */
  readonly rows: readonly unknown[] | undefined
  readonly atFirst: number
}

/** The number of rows that a list had when this device last read it. */
export function useLastCount({ name, rows, atFirst }: LastCount): number {
  const fact = `rows-${name}`
  const count = rows?.length
  useEffect(() => {
    if (count !== undefined) setStored(fact, String(count))
  }, [fact, count])
  return Number(getStored(fact) ?? atFirst)
}
