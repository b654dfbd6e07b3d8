import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cliTexts } from '#contract/texts/cli.ts'
import { sourceFiles, withoutComments } from '#tests/support/source.ts'

/* What the README tells a person to type, to set and to open. */

const manual = readFileSync('README.md', 'utf8')
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}
const found = (pattern: RegExp, text = manual) => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
]
const firebase = 'VITE_FIREBASE_'
const orders = found(/^ {2}([a-z]+)/gm, cliTexts.help)

test('every command that the README names is one', () => {
  const named = found(/npm run (?:--\S+ )*([a-z:\d-]+)/g)
  expect(named.length).toBeGreaterThan(4)
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  const given = [
    ...found(/npm run tintero ([a-z]+)/g),
    ...found(/`tintero ([a-z]+)/g),
    ...found(/dist\/server\/cli\.js ([a-z]+)/g),
  ]
  expect(given.length).toBeGreaterThan(5)
  expect(given.filter((name) => !orders.includes(name))).toEqual([])
  const run = found(/`node (\S+?\.ts)\b/g)
  expect(run.length).toBeGreaterThan(2)
  expect(run.filter((file) => !existsSync(file))).toEqual([])
})

test('every file that the README leads to is there', () => {
  const linked = found(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)
  expect(linked.length).toBeGreaterThan(5)
  expect(linked.filter((path) => !existsSync(path))).toEqual([])
})

test('the README names the variables that can be set, and no others', () => {
  const server = ['src/server/config.ts', 'src/server/api/limits.ts']
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const read = found(/^ {2}([A-Z][A-Z\d_]+): v\.optional/gm, server)
  expect(read.length).toBeGreaterThan(30)
  // It is read where it was set before its name was changed, and told to nobody new.
  const told = read.filter((name) => name !== 'RING_EVERY')
  expect(told.filter((name) => !manual.includes(`\`${name}\``))).toEqual([])
  const rows = manual.match(/^\| `[A-Z][^|]*\|/gm) ?? []
  const named = rows.flatMap((row) => found(/`([A-Z][A-Z\d_]+)/g, row))
  expect(named.length).toBeGreaterThan(30)
  const code = sourceFiles('{src,src/**}').map(({ text }) => withoutComments(text))
  // What is Firebase's is read by the part behind the name that all of it begins with.
  const isRead = (name: string) =>
    code.some(
      (text) =>
        new RegExp(`\\b${name}\\b`).test(text) ||
        (name.startsWith(firebase) && text.includes(`'${name.slice(firebase.length)}'`)),
    )
  expect(named.filter((name) => !isRead(name))).toEqual([])
})
