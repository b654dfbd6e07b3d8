/** Resolves to false when the browser has no clipboard or refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false // pages without https have no clipboard, and people may refuse it
  }
}

/** Selects an element's text, so that it can be copied by hand where the page may not. */
export function selectText(selector: string): void {
  const element = document.querySelector(selector)
  if (element) getSelection()?.selectAllChildren(element)
}
