import { encodingsOf, type Encodings } from '../edge/encodings.ts'

/** Keeps the last text made, in every encoding asked for, until it is asked for under another tag. */
type ListMemo = (tag: string, make: () => Promise<string>) => Promise<Encodings>

/** A memo of one list's JSON: reading, writing out and compressing it costs more than asking whether it has changed. */
export function createListMemo(): ListMemo {
  let last: { readonly tag: string; readonly body: Encodings } | undefined
  return async (tag, make) => {
    if (last?.tag === tag) return last.body
    const body = encodingsOf(Buffer.from(await make()))
    last = { tag, body }
    return body
  }
}
