import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { broken } from '#tests/simulation/broken/breaks.ts'
import { drawn, leastDone, partsOf, tally, usual } from '#tests/simulation/draw.ts'
import { kindsOfFaults, usual as inBrowser } from '#tests/simulation/site-history.ts'

/*
 * PROMISES.md names the tests that stand behind each sentence: a name that no test has any more would hold us to nothing.
 */
const note = readFileSync('tests/PROMISES.md', 'utf8')
const historiesFile = 'simulation/histories.test.ts'

/** A promise's number, its sentence and the tests that stand beside it, a title where one alone is meant. */
const promises = note
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, number]) => /^\d+$/.test(number ?? ''))
  .map(([, number, sentence, tests = '']) => ({
    number: Number(number),
    sentence: sentence ?? '',
    shownBy: tests.split(' · ').map(testNamed),
  }))

function testNamed(words: string) {
  if (words === 'histories') return { file: historiesFile, title: titlesIn(note)[0] }
  return { file: /`([^`]+)`/.exec(words)?.[1] ?? words, title: titlesIn(words)[0] }
}

function titlesIn(words: string): readonly string[] {
  return [...words.matchAll(/«([^»]+)»/g)].map(([, title = '']) => title)
}

/** The titles of a file's tests, what is filled into them as «…». */
function testsOf(file: string): readonly string[] {
  const code = readFileSync(`tests/${file}`, 'utf8')
  const named = /\btest(?:\.each\([^]*?\))?\(\s*(?:'((?:\\.|[^'\\])+)'|`([^`]+)`|"([^"]+)")/g
  return [...code.matchAll(named)].map(([, single, filled, double]) =>
    (single ?? filled ?? double ?? '')
      .replaceAll('’', "'")
      .replaceAll(/\$\{[^}]*\}|\$\w+|%s/g, '…'),
  )
}

const mainTag = ' @main'
const withoutTag = (title: string) => title.replace(mainTag, '')

/** The tests that a quoted title means: the one of this name, or those that begin as one does which is cut off by «…». */
function meantBy(title: string, known: readonly string[]): readonly string[] {
  const same = known.filter((one) => [one, one.replace(/^… /, '')].includes(title))
  if (same.length > 0 || !title.endsWith('…')) return same
  return known.filter((one) => one.startsWith(title.slice(0, -1)))
}

test('there are at most twelve promises, in order, each with what shows it', () => {
  expect(promises.length).toBeGreaterThan(5)
  expect(promises.length).toBeLessThanOrEqual(12)
  expect(promises.map(({ number }) => number)).toEqual(promises.map((_, index) => index + 1))
})

test.each(promises)('promise $number stands on tests that are there', ({ shownBy }) => {
  expect(shownBy.length).toBeGreaterThan(0)
  for (const { file, title } of shownBy) {
    const known = existsSync(`tests/${file}`) ? testsOf(file).map(withoutTag) : []
    const meant = title === undefined ? known.slice(0, 1) : meantBy(title, known)
    // Named, so that a failure says which.
    expect({ file, title, tests: meant.length }).toEqual({ file, title, tests: 1 })
  }
})

test.each(promises)('promise $number is looked at by every `npm test`', ({ shownBy }) => {
  for (const { file, title } of shownBy) {
    const code = readFileSync(`tests/${file}`, 'utf8')
    const isJourney = file.startsWith('browser/')
    const tests = isJourney ? testsOf(file).filter((one) => one.endsWith(mainTag)) : testsOf(file)
    const isPlayed = !code.includes('@module-tag long')
    const meant = title === undefined ? tests : meantBy(title, tests.map(withoutTag))
    expect({ file, title, isPlayed, tests: meant.length > 0 }).toEqual({
      file,
      title,
      isPlayed: true,
      tests: true,
    })
  }
})

test('the numbers that the note gives are those of the histories', () => {
  const count = (file: string, pattern: RegExp) =>
    [...readFileSync(`tests/simulation/${file}`, 'utf8').matchAll(pattern)].length
  const words = ['ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen']
  const inWords = (n: number) => words[n - 10]
  expect(note).toContain(`on purpose in ${inWords(Object.keys(broken).length)} ways`)
  expect(note).toContain(`${inWords(count('world/line.ts', /^ {2}'[^']+': \{/gm))} kinds, twice`)
})

test.each([
  ['`npm test` plays', usual],
  ['`HISTORY_OPERATIONS=10000 npm run histories`, which plays', 10_000],
])('the note says how much %s', (command, wanted) => {
  const parts = partsOf(wanted, 1)
  const { histories, operations, faults, kinds } = tally(
    parts.flatMap(({ batches }) => batches.flatMap(drawn)),
  )
  const [many, fails] = [operations, faults].map((count) => count.toLocaleString('en'))
  expect(note).toContain(
    `${command} ${histories.toLocaleString('en')} histories with ${many} operations, and ${fails} faults of ${kinds} kinds`,
  )
})

test('the note says how much of it is handed over at least', () => {
  expect(note).toContain(`and at least ${leastDone(usual)} in all`)
})

test('the note says how much is played in a real browser', () => {
  expect(note).toContain(
    `One history of ${inBrowser} operations in \`npm test\`, under ${kindsOfFaults} kinds of faults`,
  )
})

test.each(Object.entries(broken))(
  'a product that %s can still be made of this one',
  (_, mutations) => {
    for (const { file, from } of mutations) expect(readFileSync(file, 'utf8')).toContain(from)
  },
)
