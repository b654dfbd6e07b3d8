export interface PurgeCall {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The method stands before the address unless it is PURGE. */
export function isPurgeCall(text: string): boolean {
  const [, address = ''] = /^(?:(?:PURGE|BAN|POST|PUT|DELETE) )?(https?:\/\/\S+)$/.exec(text) ?? []
  const url = URL.parse(address)
  // A password in the address would appear in the log.
  return url?.username === '' && url.password === ''
}

export const purgeHeader = /^[\w-]+: [\x21-\x7e][\x20-\x7e]*$/

/** Whether a text is JSON. */
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

/** The call that empties a cache, from the three settings of the environment that describe it. */
export function purgeCall({ address, header, body }: GivenCall): PurgeCall {
  const [url = '', method = 'PURGE'] = address.split(' ').toReversed()
  const [name = '', value] = header?.split(/: (.*)/) ?? []
  const headers = {
    ...(value !== undefined && { [name]: value }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  return { method, url, headers, ...(body !== undefined && { body }) }
}
