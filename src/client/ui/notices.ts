import { createStore } from './store.ts'

export type NoticeKind = 'success-snackbar' | 'error-snackbar' | 'info-snackbar'

/** A kind of the host's times, or milliseconds. */
type Stay = keyof StayTimes | number

/** In milliseconds. */
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
  /** A second button, before the first. */
  readonly other?: { readonly label: string; readonly press: () => void }
  readonly stays: Stay
  /** The question for assistive technology; only on a question. */
  readonly question?: string | undefined
  /** True only when the keyboard raised it. */
  readonly takesFocus: boolean
}

type NoticeOptions = Partial<Omit<Notice, 'id' | 'kind' | 'text'>>

/** Each notice is a promise that tells whether its button was pressed. */
export function createNotices() {
  const answers = new Map<number, (pressed: boolean) => void>()
  const { get, set, subscribe } = createStore<readonly Notice[]>([])
  let lastId = 0
  const close = (id: number, pressed: boolean) => {
    answers.get(id)?.(pressed)
    answers.delete(id)
    set(get().filter((notice) => notice.id !== id))
  }
  return {
    get,
    subscribe,
    add: (kind: NoticeKind, text: string, options: NoticeOptions = {}): Promise<boolean> =>
      new Promise((resolve) => {
        const { question, takesFocus = false } = options
        const { stays = question === undefined ? 'notice' : 'question' } = options
        // Said again it takes the place of what still says it, but where something can be done about each.
        const said = get().find(
          (one) => one.kind === kind && one.text === text && !(one.action ?? one.other),
        )
        if (said) close(said.id, false)
        const id = ++lastId
        answers.set(id, resolve)
        set([...get(), { ...options, id, kind, text, stays, takesFocus }])
      }),
    close,
  }
}

export const pageNotices = createNotices()

/** Resolves true when its button is pressed, false when it goes otherwise. */
export function showNotice(
  kind: NoticeKind,
  text: string,
  options?: NoticeOptions,
): Promise<boolean> {
  return pageNotices.add(kind, text, options)
}
