import { afterAll, expect } from 'vitest'
import { isPaired } from './database.ts'
import { processesAsked } from './turns.ts'

/* What runs as a pair and asks one process alone proves nothing beyond the run before it, and nobody would see. */

afterAll(() => {
  if (isPaired) expect(processesAsked(), 'processes that were asked').toBe(2)
})
