import type { BackupLink } from './backups.ts'
import { optional, text, url } from './fields.ts'
import { safeHref } from './link.ts'
import { fieldErrors } from './texts/site.ts'
import { siteCopyTexts } from './texts/site-copy.ts'
import { checkValues, type Checked } from './validate.ts'

// Browsers and Node both provide it; this folder is compiled without the types of either.
declare const URL: new (address: string) => { readonly href: string }

/** The call for the site as files that need no server; `…/link` makes it and opens it to the browser for some minutes. */
export const siteCopyCall = 'site-copy'

export const siteCopyName = 'mi-sitio.zip'

/** Where a copy leads whoever writes: to her e-mail, to the running site, to a service that takes forms, or nowhere. */
export const contactChoices = ['mail', 'server', 'service', 'none'] as const
export type ContactChoice = (typeof contactChoices)[number]

/** How a copy is to be. */
export interface SiteCopyWish {
  /** Where it will be, without a final slash; empty for where the site runs. */
  readonly address: string
  /** Empty for the usual. */
  readonly contact: ContactChoice | ''
  /** The service that takes forms; empty for any other choice. */
  readonly service: string
}

/** Where a copy may be fetched. */
export interface SiteCopyLink extends BackupLink {
  /** What the copy has to do without, in words for its owner; absent where it lacks nothing. */
  readonly lacks?: string
}

export const siteCopyFields = {
  address: optional(
    url(siteCopyTexts.address, { hint: siteCopyTexts.addressHint, placeholder: 'https://' }),
  ),
  contact: optional(text(siteCopyTexts.contact)),
  service: optional(
    url(siteCopyTexts.service, { hint: siteCopyTexts.serviceHint, placeholder: 'https://' }),
  ),
}

/** The wish as the copy follows it, or one message per faulty field; never throws. */
export function checkSiteCopy(input: unknown): Checked<SiteCopyWish> {
  const checked = checkValues(siteCopyFields, 'create', input)
  if (!checked.ok) return checked
  const { address: place = '', contact: choice = '', service: form = '' } = checked.value
  const contact = contactChoices.find((one) => one === choice) ?? ''
  const address = place === '' ? '' : copyAddress(place)
  const service = contact === 'service' ? serviceAddress(form) : ''
  if (address !== undefined && service !== undefined && contact === choice) {
    return { ok: true, value: { address, contact, service } }
  }
  return {
    ok: false,
    errors: {
      ...(address === undefined && { address: siteCopyTexts.noAddress }),
      ...(contact !== choice && { contact: siteCopyTexts.noContact }),
      ...(service === undefined && {
        service: form === '' ? fieldErrors.required : siteCopyTexts.noService,
      }),
    },
  }
}

/** The address without a final slash; undefined for one that a site cannot be at. */
export function copyAddress(typed: string): string | undefined {
  const href = safeHref(typed)
  if (href === undefined || /[?#]/.test(href)) return undefined
  return new URL(href).href.replace(/\/+$/, '')
}

/** The address of a service that takes forms; undefined for one that a page of the copy may not send to. */
export function serviceAddress(typed: string): string | undefined {
  const href = safeHref(typed)
  return href?.startsWith('https://') ? href : undefined
}

/** Whether only the machine itself reaches the host. */
export function isOwnMachine(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)
}
