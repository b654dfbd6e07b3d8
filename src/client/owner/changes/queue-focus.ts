/** Moves the focus to the line of a button that is about to go. */
export function focusLine(button: HTMLElement): void {
  button.closest('li')?.focus()
}

/** Moves the focus to the title of the list, because the button's whole line is about to go. */
export function focusTitle(button: HTMLElement): void {
  button.closest('dialog')?.querySelector('h2')?.focus()
}
