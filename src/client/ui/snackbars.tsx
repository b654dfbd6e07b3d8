import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { pageNotices, type Notice, type NoticeKind, type StayTimes } from './notices.ts'
import { useCountdown } from './countdown.ts'
import { useStore } from './store.ts'
import { visibleNotices } from './visible-notices.ts'

interface Words {
  /** Names the region, including the key that focuses the newest notice. */
  readonly label: string
  /** Labels the button of a notice that brings no label. */
  readonly closeLabel: string
  readonly times: StayTimes
}

const none: readonly Notice[] = []
const icons: Readonly<Record<NoticeKind, string>> = {
  'success-snackbar': 'check',
  'error-snackbar': 'warn',
  'info-snackbar': 'info',
}

/** F8 focuses the newest notice, Escape closes the focused one or the open question. */
export function Snackbars({ label, closeLabel, times }: Words): ReactNode {
  const notices = useStore(pageNotices, none)
  const region = useRef<HTMLElement>(null)
  const visible = visibleNotices(notices)
  const newest = visible.at(-1)?.id

  // A layout effect, because the region must be on screen before a notice inside takes the focus.
  useLayoutEffect(() => {
    const popover = region.current
    if (popover === null) return
    // Shown again for every notice, so that it is above whatever opened since the last one.
    if (popover.matches(':popover-open')) popover.hidePopover()
    if (newest !== undefined) popover.showPopover()
  }, [newest])

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => answerKey(event, region.current)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <section ref={region} className="toasts" popover="manual" aria-label={label}>
      {visible.map((notice) => (
        <Snackbar
          key={notice.id}
          notice={notice}
          action={notice.action ?? closeLabel}
          durationMs={typeof notice.stays === 'number' ? notice.stays : times[notice.stays]}
        />
      ))}
    </section>
  )
}

function answerKey(event: KeyboardEvent, region: HTMLElement | null): void {
  if (event.key === 'F8') {
    const newest = region?.querySelector<HTMLButtonElement>('.toast:last-child button')
    if (newest) event.preventDefault()
    newest?.focus()
  }
  if (event.key === 'Escape' && !event.defaultPrevented) {
    const id = idOfFocused(event) ?? pageNotices.get().find(isQuestion)?.id
    if (id === undefined) return
    event.preventDefault()
    pageNotices.close(id, false)
  }
}

function idOfFocused({ target }: KeyboardEvent): number | undefined {
  const box = target instanceof Element ? target.closest<HTMLElement>('[data-notice]') : null
  return box === null ? undefined : Number(box.dataset['notice'])
}

const isQuestion = ({ question }: Notice) => question !== undefined

interface SnackbarProps {
  readonly notice: Notice
  readonly action: string
  readonly durationMs: number
}

function Snackbar({ notice, action, durationMs }: SnackbarProps): ReactNode {
  const { id, kind, text, other, question, takesFocus } = notice
  const box = useRef<HTMLDivElement>(null)
  useCountdown(box, durationMs, () => pageNotices.close(id, false))
  useFocusBorrowed(box, takesFocus)
  const role = kind === 'error-snackbar' ? 'alert' : 'status'
  return (
    <div
      ref={box}
      className={`toast ${kind}`}
      role={question === undefined ? role : 'alertdialog'}
      aria-label={question}
      data-notice={id}
    >
      <Icon name={question === undefined ? icons[kind] : 'trash'} />
      <p>{text}</p>
      {other && (
        <button
          type="button"
          onClick={() => {
            pageNotices.close(id, false)
            other.press()
          }}
        >
          {other.label}
        </button>
      )}
      <button
        type="button"
        className={question === undefined ? undefined : 'confirm-btn'}
        onClick={() => pageNotices.close(id, true)}
      >
        {action}
      </button>
      {question !== undefined && <span className="time" />}
    </div>
  )
}

/** Moves the focus to a notice that takes it; gives it back when the notice that has it goes, to where it came from. */
function useFocusBorrowed(box: { readonly current: HTMLElement | null }, takesFocus: boolean) {
  useEffect(() => {
    let before: EventTarget | null = null
    const notice = box.current
    notice?.addEventListener('focusin', ({ relatedTarget }) => {
      before ??= relatedTarget
    })
    if (takesFocus) notice?.querySelector('button')?.focus()
    return () => {
      if (document.activeElement === document.body) (before as HTMLElement | null)?.focus()
    }
  }, [box, takesFocus])
}
