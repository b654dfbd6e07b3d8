import { texts } from '#contract/texts/site.ts'
import { copyText, selectText } from '#client/browser/clipboard.ts'
import { showNotice } from '#client/ui/notices.ts'

/** Where the clipboard refuses, shows the address selected for copying by hand. */
export async function copyEmail(address: string): Promise<void> {
  if (await copyText(address)) {
    void showNotice('success-snackbar', texts.copied, { stays: 'copied' })
    return
  }
  void showNotice('info-snackbar', address)
  // One frame later the snackbar is on the page.
  requestAnimationFrame(() => selectText('.toast:last-child p'))
}
