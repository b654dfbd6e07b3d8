import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** A symbol as the sources name it: a name and what a Lucide outline begins with. */
const named = /\b(\w+):\s*'([Mm]-?\d[^']{8,})'/g

test('a name stands for one symbol, since sprites of one page share their names', () => {
  const drawings = new Map<string, Set<string>>()
  for (const file of globSync('src/client/**/*.{ts,tsx}')) {
    for (const [, name = '', path = ''] of readFileSync(file, 'utf8').matchAll(named)) {
      drawings.set(name, (drawings.get(name) ?? new Set()).add(path))
    }
  }
  expect(drawings.size).toBeGreaterThan(30)
  const doubled = [...drawings].filter(([, paths]) => paths.size > 1).map(([name]) => name)
  expect(doubled).toEqual([])
})
