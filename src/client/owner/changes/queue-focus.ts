/** Keeps the focus at the change whose button is about to go. */
export function focusLine(button: HTMLElement): void {
  button.closest('li')?.focus()
}

/** Moves the focus to the list's title when a change is about to go. */
export function focusTitle(button: HTMLElement): void {
  button.closest('dialog')?.querySelector('h2')?.focus()
}
