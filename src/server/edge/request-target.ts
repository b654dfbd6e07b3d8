import type { IncomingMessage } from 'node:http'

export interface Target {
  /** Decoded; an address that cannot be decoded is kept as it came and so names nothing. */
  readonly path: string
  readonly query: string
}

/** Returns the status of a refusal in place of a bad address. */
export function readTarget({ url = '', rawHeaders, httpVersion }: IncomingMessage) {
  const hosts = countHosts(rawHeaders)
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return 400
  // Takes only paths: an absolute address would let the sender choose the host that links are made with.
  if (!url.startsWith('/')) return 400
  const mark = url.indexOf('?')
  const raw = mark < 0 ? url : url.slice(0, mark)
  const target: Target = { path: decode(raw), query: mark < 0 ? '' : url.slice(mark + 1) }
  return target
}

function decode(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path // A broken escape: no page and no file has such a name.
  }
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}
