/**
 * Presses again what a press was meant for. While the browser passes from one page to the next it draws nothing for some
 * frames, and a press then meets the whole document in place of what stands there.
 */
export function repeatCoveredPresses(): void {
  addEventListener('click', ({ target, clientX, clientY }) => {
    if (target !== document.documentElement) return
    // Frames come again with the new page.
    requestAnimationFrame(() => {
      const covered = document
        .elementFromPoint(clientX, clientY)
        ?.closest<HTMLElement>('a, button, summary, label, input, textarea, select')
      covered?.focus()
      covered?.click()
    })
  })
}
