import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface AlertProps {
  readonly icon?: string
  readonly tone?: 'bad' | 'pencil'
  /** Absent where something around it is read aloud, or nothing has happened. */
  readonly role?: 'alert'
  readonly title?: string
  readonly words: ReactNode
  /** Stands above what it is about, and wraps where its buttons leave the words too little room. */
  readonly isWide?: boolean
  /** What can be done about it. */
  readonly children?: ReactNode
}

/** Something to know before going on. */
export function Alert({
  icon = 'warn',
  tone,
  role,
  title,
  words,
  isWide = false,
  children,
}: AlertProps) {
  const said = words ? <p>{words}</p> : null
  return (
    <div
      className={['alert', tone && `${tone}-tone`, isWide && 'shared'].filter(Boolean).join(' ')}
      role={role}
    >
      <Icon name={icon} />
      {title === undefined ? (
        said
      ) : (
        <div>
          <b>{title}</b>
          {said}
        </div>
      )}
      {children}
    </div>
  )
}
