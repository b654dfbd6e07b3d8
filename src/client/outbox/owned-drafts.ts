import { getSession } from '#client/data/session.ts'
import { textKey } from '#client/drafts/kept-drafts.ts'
import { parseDraft, type SavedDraft } from './saved-draft.ts'

/** What a draft says of whose it is; nothing where no account is known. */
export const ownedBy = (account: string): Pick<SavedDraft, 'account'> =>
  account ? { account } : {}

/** The draft as this tab's account's, unless it says whose it is. */
export function owned(draft: SavedDraft): SavedDraft {
  return { ...ownedBy(getSession().account), ...draft }
}

/** Whether it is another account's than this tab's; what names none belongs to nobody else. */
export function isForeignDraft({ account }: SavedDraft): boolean {
  const present = getSession().account
  return account !== undefined && present !== '' && account !== present
}

/** The drafts among kept values, with where each lies. */
export function draftsIn(
  kept: Readonly<Record<string, unknown>>,
): readonly { readonly form: string; readonly draft: SavedDraft }[] {
  return Object.entries(kept).flatMap(([key, value]) => {
    const draft = key.startsWith(textKey('')) ? parseDraft(value) : undefined
    return draft ? { form: key.slice(textKey('').length), draft } : []
  })
}

/** The name of the lock that the tab holds that has the place. */
export function lockOf(place: string): string {
  return `tintero-draft:${place}`
}
