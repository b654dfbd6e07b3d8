/** Keeps the last text made, until it is asked for under another tag. */
export type ListMemo = (tag: string, make: () => Promise<string>) => Promise<string>

/** A memo of one list's JSON: reading and writing it out costs more than asking whether it has changed. */
export function createListMemo(): ListMemo {
  let last: { readonly tag: string; readonly text: string } | undefined
  return async (tag, make) => {
    if (last?.tag === tag) return last.text
    const text = await make()
    last = { tag, text }
    return text
  }
}
