import { ownerTexts } from '#contract/texts/owner.ts'
import { showNotice, pageNotices } from '#client/ui/notices.ts'

/** The id that the open question is about; asking about another one withdraws the first. */
let asked: string | undefined

/**
 * True only when «Eliminar» is pressed; undefined when the same question is already open. A press by keyboard takes the
 * focus to the answer.
 */
export async function confirmRemoval(
  id: string,
  { detail }: { readonly detail: number },
  words: string = ownerTexts.confirmRemoval,
): Promise<boolean | undefined> {
  if (asked === id) return undefined
  for (const notice of pageNotices.get()) {
    if (notice.question !== undefined) pageNotices.close(notice.id, false)
  }
  asked = id
  const isConfirmed = await showNotice('error-snackbar', words, {
    action: ownerTexts.remove,
    question: ownerTexts.confirmRemovalLabel,
    takesFocus: detail === 0,
  })
  if (asked === id) asked = undefined
  return isConfirmed
}
