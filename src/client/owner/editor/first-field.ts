/** Moves the focus to the first field of a form, or of what stands around it; for when what had the focus is no more. */
export function focusFirstField(box: ParentNode | null): void {
  box?.querySelector<HTMLElement>('input, textarea')?.focus()
}
