/** How a caching proxy or a CDN is told to forget what it keeps of the site. */
export interface PurgeCall {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Whether the text is an address that can be called, with the method before it where it is not PURGE. */
export function isPurgeCall(text: string): boolean {
  const [, address = ''] = /^(?:(?:PURGE|BAN|POST|PUT|DELETE) )?(https?:\/\/\S+)$/.exec(text) ?? []
  const url = URL.parse(address)
  // A password in the address would stand in the log.
  return url?.username === '' && url.password === ''
}

export const purgeHeader = /^[\w-]+: [\x21-\x7e][\x20-\x7e]*$/

/** Whether the text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

interface GivenCall {
  /** For which `isPurgeCall` holds. */
  readonly address: string
  /** As `purgeHeader` has it. */
  readonly header: string | undefined
  /** JSON. */
  readonly body: string | undefined
}

/** The call of what the operator set. */
export function purgeCall({ address, header, body }: GivenCall): PurgeCall {
  const [url = '', method = 'PURGE'] = address.split(' ').toReversed()
  const [name = '', value] = header?.split(/: (.*)/) ?? []
  const headers = {
    ...(value !== undefined && { [name]: value }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  return { method, url, headers, ...(body !== undefined && { body }) }
}
