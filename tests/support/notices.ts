import type { BrowserContext } from 'playwright/test'

/** The texts of all snackbars that pages of the context show from now on, in order: a slow machine may miss them on screen. */
export async function recordNotices(context: BrowserContext): Promise<readonly string[]> {
  const shown: string[] = []
  await context.exposeFunction('noticeShown', (text: string) => shown.push(text))
  await context.addInitScript(() => {
    const { noticeShown } = globalThis as unknown as { noticeShown: (text: string) => void }
    new MutationObserver((records) => {
      for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(node instanceof Element)) continue
        const notices = node.matches('[class*="-snackbar"]')
          ? [node]
          : node.querySelectorAll('[class*="-snackbar"]')
        for (const notice of notices) noticeShown(notice.querySelector('p')?.textContent ?? '')
      }
    }).observe(document, { childList: true, subtree: true })
  })
  return shown
}
