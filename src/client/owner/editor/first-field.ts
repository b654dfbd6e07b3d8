/** For when the element that had the focus is gone. */
export function focusFirstField(box: ParentNode | null): void {
  box?.querySelector<HTMLElement>('input, textarea')?.focus()
}
