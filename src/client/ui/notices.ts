export type NoticeKind = 'success-snackbar' | 'error-snackbar' | 'info-snackbar'

/** How long a notice stays: as the host has things of its kind stay, or in milliseconds. */
type Stay = keyof StayTimes | number

/** The host's times by kind, in milliseconds. */
export interface StayTimes {
  readonly notice: number
  readonly question: number
  readonly copied: number
}

export interface Notice {
  readonly id: number
  readonly kind: NoticeKind
  readonly text: string
  /** Label of the button; the host's own word when absent. */
  readonly action: string | undefined
  readonly stays: Stay
  /** What is being asked, for assistive technology; only on a question. */
  readonly question: string | undefined
  /** Whether the button takes the focus: only when the keyboard raised it. */
  readonly takesFocus: boolean
}

export type NoticeOptions = Partial<Omit<Notice, 'id' | 'kind' | 'text'>>

const maxVisible = 3

/** What may be on screen at once, oldest first: a question always is, the rest waits its turn. */
export function visibleNotices(notices: readonly Notice[]): readonly Notice[] {
  const questions = notices.filter(({ question }) => question !== undefined)
  const others = notices.filter(({ question }) => question === undefined)
  return [...questions, ...others].slice(0, maxVisible).toSorted((a, b) => a.id - b.id)
}

/** The notices waiting or on screen, each a promise that tells whether its button was pressed. */
export function createNotices() {
  const listeners = new Set<() => void>()
  const answers = new Map<number, (pressed: boolean) => void>()
  let notices: readonly Notice[] = []
  let lastId = 0
  const set = (next: readonly Notice[]) => {
    notices = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => notices,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    add: (kind: NoticeKind, text: string, options: NoticeOptions = {}): Promise<boolean> =>
      new Promise((resolve) => {
        const { action, question, takesFocus = false } = options
        const { stays = question === undefined ? 'notice' : 'question' } = options
        const id = ++lastId
        answers.set(id, resolve)
        set([...notices, { id, kind, text, action, stays, question, takesFocus }])
      }),
    close: (id: number, pressed: boolean) => {
      answers.get(id)?.(pressed)
      answers.delete(id)
      set(notices.filter((notice) => notice.id !== id))
    },
  }
}

/** The page's own notices, drawn by the snackbar host above every route. */
export const pageNotices = createNotices()

/** Shows a snackbar; resolves true when its button is pressed, false when it goes otherwise. */
export function notify(kind: NoticeKind, text: string, options?: NoticeOptions): Promise<boolean> {
  return pageNotices.add(kind, text, options)
}
