/** Puts the text on the clipboard; false when the browser has none or refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false // pages without https have no clipboard, and people may refuse it
  }
}

/** Selects the text of the first element that matches, ready for the copy key. */
export function selectText(selector: string): void {
  const element = document.querySelector(selector)
  if (element) getSelection()?.selectAllChildren(element)
}
