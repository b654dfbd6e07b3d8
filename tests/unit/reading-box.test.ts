import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ReadingBox } from '#client/owner/import/file-states.tsx'
import type { Progress } from '#client/owner/import/read-file.ts'

const shown = (progress?: Progress) => {
  const file = { name: 'copia.zip', size: 1_800_000 }
  return renderToStaticMarkup(createElement(ReadingBox, { file, progress, onCancel: () => {} }))
}

test('a file that is read says its size, and as soon as it is known how many are in it', () => {
  expect(shown()).toContain('<small>1,8 MB</small>')
  const progress = { part: 'education.csv', counts: { 'positions.csv': 7 } } as const
  expect(shown({ ...progress, files: 9 })).toContain('<small>1,8 MB · 9 archivos</small>')
  expect(shown({ ...progress, files: 1 })).toContain('<small>1,8 MB · 1 archivo</small>')
})

test('of its parts those before have their lines, the one that is read three dots, and the others none', () => {
  const marked = shown({ part: 'education.csv', counts: { 'positions.csv': 7 }, files: 9 })
  const counts = [...marked.matchAll(/<span class="mono">([^<]*)</g)].map(([, count]) => count)
  expect(counts.slice(0, 4)).toEqual(['', '7', '…', ''])
})
