import { firebaseTexts } from '#contract/texts/firebase.ts'
import { fill } from '#contract/text.ts'
import { pushTexts } from '#contract/texts/push.ts'
import type { ServiceAccount } from './service-account.ts'

/** The account that Firebase takes for the site's pages, or why there is none, in words for the owner. */
type PagesAccount =
  | { readonly account: ServiceAccount }
  | { readonly account?: undefined; readonly trouble: string }

/** The server's own account, unless it is of another project than the one the pages were built for. */
export function pagesAccount(
  account: ServiceAccount | undefined,
  pagesProject: string | undefined,
): PagesAccount {
  if (!account) return { trouble: firebaseTexts.noAccount }
  if (pagesProject === undefined || pagesProject === account.projectId) return { account }
  const projects = { account: account.projectId, pages: pagesProject }
  return { trouble: fill(pushTexts.otherProject, projects) }
}
