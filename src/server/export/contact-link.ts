import { serviceAddress } from '#contract/site-copy.ts'
import { isLocal } from '../config.ts'
import type { ContactLink } from './copied-page.ts'

interface Known {
  /** The site's own e-mail address; empty when it has none. */
  readonly email: string
  /** Where the running site is. */
  readonly publicUrl: string
}

/**
 * How whoever reads a copy writes to its owner: `mail`, `server` (the running site's form), `none` or the address of a
 * service that takes forms. Unless it is chosen: by mail, else at the running site where others reach that, else not at
 * all. Throws `RangeError` for a choice that cannot be.
 */
export function contactLink(
  choice: string | undefined,
  { email, publicUrl }: Known,
): ContactLink | undefined {
  if (choice === undefined) {
    if (email !== '') return { is: 'link', href: `mailto:${email}` }
    return isLocal(publicUrl) ? undefined : { is: 'link', href: `${publicUrl}/contact` }
  }
  if (choice === 'mail' && email !== '') return { is: 'link', href: `mailto:${email}` }
  if (choice === 'server') return { is: 'link', href: `${publicUrl}/contact` }
  if (choice === 'none') return undefined
  const action = choice.startsWith('https://') ? serviceAddress(choice) : undefined
  if (action !== undefined) return { is: 'form', action }
  throw new RangeError(choice)
}
