/** Moves the focus to the first field, because the element that had it is gone. */
export function focusFirstField(box: ParentNode | null): void {
  box?.querySelector<HTMLElement>('input, textarea')?.focus()
}
