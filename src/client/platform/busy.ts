/** Held, shared, by every tab that has unsaved text or a change on its way. */
const lock = 'tintero-busy'
let release: (() => void) | undefined

/** Lets the other tabs know whether this one has something that a reload would cut short. */
export function showBusy(isBusy: boolean): void {
  if (!isBusy) {
    release?.()
    release = undefined
  } else if (release === undefined && 'locks' in navigator) {
    const end = new Promise<void>((resolve) => (release = resolve))
    void navigator.locks.request(lock, { mode: 'shared' }, () => end)
  }
}

/** Runs the task as soon as no tab is busy, or, with `orNever`, only when that is now; resolves to whether it ran. */
export function whenNobodyIsBusy(
  task: () => void,
  { orNever = false }: { readonly orNever?: boolean } = {},
): Promise<boolean> {
  return navigator.locks.request(lock, { ifAvailable: orNever }, (held) => {
    if (held) task()
    return held !== null
  })
}
