import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pageSheets } from '#contract/page-heads.ts'

/*
 * A page's own sheet stays when the next page is opened, so that a name of it which stands in the owner's rooms lays out
 * there what was meant for that page. The sheets of lists are shared on purpose.
 */

const named = /^ {2}\.([\w-]+)/gm
const worn = /className="([^"]*)"/g
const ownSheets = [...pageSheets].filter((name) => !name.startsWith('list'))

function wordsOf(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(([, words = '']) => words.split(' '))
}

test("no name of a page's own sheet stands in the owner's rooms", () => {
  const pages = ownSheets.flatMap((name) =>
    wordsOf(readFileSync(`src/client/styles/${name}.css`, 'utf8'), named),
  )
  expect(pages).toContain('about')
  const rooms = globSync('src/client/owner/**/*.tsx')
  expect(rooms.length).toBeGreaterThan(50)
  const clashes = rooms.flatMap((file) =>
    wordsOf(readFileSync(file, 'utf8'), worn)
      .filter((word) => pages.includes(word))
      .map((word) => `${file}: ${word}`),
  )
  expect(clashes).toEqual([])
})

test('every custom property of the sheets is used', () => {
  const css = globSync('src/client/styles/*.css')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const declared = [...css.matchAll(/(?<=[\s;{])(--[\w-]+)\s*:/g)].flatMap(([, name]) => name ?? [])
  expect(declared.length).toBeGreaterThan(50)
  const used = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))
  expect(declared.filter((name) => !used.has(name))).toEqual([])
})
