import { afterAll } from 'vitest'
import { isPaired } from './database.ts'
import { countAsked } from './turns.ts'

/* What runs as a pair and asks one process alone proves nothing beyond the run before it, and nobody would see. */

afterAll(() => {
  const asked = countAsked()
  if (isPaired && asked !== 2) throw new Error(`a file of the pair asked ${asked} of two processes`)
})
