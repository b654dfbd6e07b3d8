import { createStore } from './store.ts'

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
  readonly action?: string | undefined
  /** Another way out, before the button. */
  readonly other?: { readonly label: string; readonly press: () => void }
  readonly stays: Stay
  /** What is being asked, for assistive technology; only on a question. */
  readonly question?: string | undefined
  /** Whether the button takes the focus: only when the keyboard raised it. */
  readonly takesFocus: boolean
}

type NoticeOptions = Partial<Omit<Notice, 'id' | 'kind' | 'text'>>

const maxVisible = 3

/** What may be on screen at once, oldest first: a question always is, the rest waits its turn. */
export function visibleNotices(notices: readonly Notice[]): readonly Notice[] {
  const questions = notices.filter(({ question }) => question !== undefined)
  const others = notices.filter(({ question }) => question === undefined)
  return [...questions, ...others].slice(0, maxVisible).toSorted((a, b) => a.id - b.id)
}

/** The notices waiting or on screen, each a promise that tells whether its button was pressed. */
export function createNotices() {
  const answers = new Map<number, (pressed: boolean) => void>()
  const { get, set, subscribe } = createStore<readonly Notice[]>([])
  let lastId = 0
  return {
    get,
    subscribe,
    add: (kind: NoticeKind, text: string, options: NoticeOptions = {}): Promise<boolean> =>
      new Promise((resolve) => {
        const { question, takesFocus = false } = options
        const { stays = question === undefined ? 'notice' : 'question' } = options
        const id = ++lastId
        answers.set(id, resolve)
        set([...get(), { ...options, id, kind, text, stays, takesFocus }])
      }),
    close: (id: number, pressed: boolean) => {
      answers.get(id)?.(pressed)
      answers.delete(id)
      set(get().filter((notice) => notice.id !== id))
    },
  }
}

/** The page's own notices, drawn by the snackbar host above every route. */
export const pageNotices = createNotices()

/** Shows a snackbar; resolves true when its button is pressed, false when it goes otherwise. */
export function notify(kind: NoticeKind, text: string, options?: NoticeOptions): Promise<boolean> {
  return pageNotices.add(kind, text, options)
}
