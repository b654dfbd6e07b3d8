/** For a button that is about to go. */
export function focusLine(button: HTMLElement): void {
  button.closest('li')?.focus()
}

/** For a change that is about to go. */
export function focusTitle(button: HTMLElement): void {
  button.closest('dialog')?.querySelector('h2')?.focus()
}
