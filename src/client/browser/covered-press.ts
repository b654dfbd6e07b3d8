/**
 * Presses again what a press was meant for. While the browser passes from one page to the next it draws nothing for some
 * frames, and a press then meets the whole document in place of what stands there.
 */
export function repeatCoveredPresses(): void {
  addEventListener('click', (press) => {
    // The second press of two is meant for the page that the first one left.
    if (press.target !== document.documentElement || press.detail > 1) return
    // Frames come again with the new page.
    requestAnimationFrame(() => {
      const covered = document.elementFromPoint(press.clientX, press.clientY)
      if (!(covered instanceof HTMLElement) || covered === press.target) return
      covered.focus()
      covered.dispatchEvent(new MouseEvent('click', press))
    })
  })
}
