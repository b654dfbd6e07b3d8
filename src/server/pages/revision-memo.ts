/** How long a write that another process made may stay unseen. */
const freshMs = 1000

/** The revision of the site's content, without asking the database for every page. */
export interface RevisionMemo {
  /** The revision, undefined when it must be read. */
  known(): number | undefined
  read(): Promise<number>
  /** Announces a write through this process; until the returned function is called, and right after, nothing is taken as known. */
  hold(): () => void
}

interface MemoOptions {
  readonly clock?: () => number
  readonly keptMs?: number
  /** Called after each write through this process. */
  readonly onWritten?: (() => void) | undefined
}

/** Remembers a revision for a moment, or not at all where other processes write; writes through this process are seen at once. */
export function createRevisionMemo(
  readRevision: () => Promise<number>,
  { clock = () => performance.now(), keptMs = freshMs, onWritten }: MemoOptions = {},
): RevisionMemo {
  let memo: { readonly revision: number; readonly at: number } | undefined
  let writers = 0
  /** Counts finished writes, so that a slow read begun before one is not believed after it. */
  let generation = 0
  return {
    known: () =>
      writers === 0 && memo !== undefined && clock() - memo.at < keptMs ? memo.revision : undefined,
    read: async () => {
      const [at, begun] = [clock(), generation]
      const revision = await readRevision()
      if (begun === generation) memo = { revision, at }
      return revision
    },
    hold: () => {
      writers++
      return () => {
        writers--
        generation++
        memo = undefined
        onWritten?.()
      }
    },
  }
}
