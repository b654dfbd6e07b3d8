import type { ReactNode } from 'react'

interface SettingLineProps {
  readonly title: string
  readonly hint: string
  /** What can be done, and what came of it. */
  readonly children?: ReactNode
  readonly role?: 'alert' | undefined
}

/** A line of the settings that holds no value. */
export function SettingLine({ title, hint, children, role }: SettingLineProps) {
  return (
    <div className="setting" role={role}>
      <div>
        <b>{title}</b>
        <p>{hint}</p>
      </div>
      {children}
    </div>
  )
}

interface LineOutcomeProps {
  /** Undefined while there is nothing to say. */
  readonly words: string | undefined
  readonly isBad?: boolean
  readonly role?: 'status' | 'alert'
}

/** What came of the press on a line's button, under it. */
export function LineOutcome({ words, isBad = false, role = 'status' }: LineOutcomeProps) {
  return (
    <p className={isBad ? 'saved field-error' : 'saved'} role={role}>
      {words}
    </p>
  )
}
