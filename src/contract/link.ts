import { lengthOf } from './text.ts'
import { maxLinkLength } from './limits.ts'

// Browsers and Node both provide it; this folder is compiled without the types of either.
declare const URL: new (address: string) => unknown

const webAddress = /^https?:\/\/[^\s/?#@"'<>\\^`{|}]+(?:[/?#][^\s"'<>\\^`{|}]*)?$/iu
const bareHost =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}(?::\d{1,5})?(?:[/?#][^\s"'<>\\^`{|}]*)?$/iu

/**
 * The address a stored link may point to, or undefined when it must be read as plain text.
 * Only http(s) with a host and no user info passes; `github.com/x` gets `https://`, `javascript:` never becomes an address.
 */
export function safeHref(link: string): string | undefined {
  const text = link.trim()
  if (lengthOf(text) > maxLinkLength) return undefined
  const address = bareHost.test(text) ? `https://${text}` : text
  return webAddress.test(address) && isReadable(address) ? address : undefined
}

/** Whether a browser can open the address. `URL.canParse` is missing in browsers that the pages otherwise run in. */
function isReadable(address: string): boolean {
  try {
    return Boolean(new URL(address))
  } catch {
    return false
  }
}
