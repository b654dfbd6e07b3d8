import { useState } from 'react'
import { logProblem } from '#client/browser/early/log.ts'
import { ApiError } from '#client/data/api.ts'

interface OutcomeWords {
  /** What is logged when the server refused or did not answer. */
  readonly log: string
  /** What she reads when no answer came. */
  readonly silent: string
}

/** Does what she asks of a list and says in one line what came of it. */
export function useOutcome({ log, silent }: OutcomeWords) {
  const [words, setWords] = useState('')

  /** Resolves to whether it was done. */
  const attempt = async (act: () => Promise<unknown>, done: string): Promise<boolean> => {
    // Equal words are read aloud again only where they were gone meanwhile.
    setWords('')
    try {
      await act()
      setWords(done)
      return true
    } catch (error) {
      logProblem(log, error)
      setWords((error instanceof ApiError ? error.mensaje : undefined) ?? silent)
      return false
    }
  }
  return { words, say: setWords, attempt }
}
