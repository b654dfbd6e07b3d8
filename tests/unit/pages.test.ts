import { expect, test } from 'vitest'
import { pageMeta } from '#contract/page-heads.ts'
import { matches } from '#contract/pages.ts'
import { ownerPaths, publicPaths } from '#tests/support/page-paths.ts'

const fields = { name: 'Ana', lastname: 'Paz', title: 'Diseñadora', description: 'Dibujo.\n\nMás.' }
const person = { version: 1, fields }
const concrete = (path: string) => path.replace('$id', '1')

test('every page has a title of its own that ends with the name', () => {
  const paths = [...publicPaths, ...ownerPaths.map(concrete), '/login', '/configurar', '/cv']
  const titles = paths.map((path) => pageMeta(path, person).title)
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([])
  expect(titles.every((title) => title.endsWith('· Ana Paz'))).toBe(true)
})

test('search engines are offered the public pages and nothing else', () => {
  expect(publicPaths.every((path) => pageMeta(path, person).indexed)).toBe(true)
  const others = [...ownerPaths.map(concrete), '/login', '/configurar', '/nothing']
  expect(others.some((path) => pageMeta(path, person).indexed)).toBe(false)
})

test('the home page is described by the first words of the profile', () => {
  expect(pageMeta('/', person).description).toBe('Dibujo.')
})

test.each(['/nothing', '/editExp', '/editExp/1/2', '/projects/1', '/PROJECTS'])(
  '%s is not found',
  (path) => {
    expect(pageMeta(path, person).status).toBe(404)
  },
)

test('a slash at the end changes nothing', () => {
  expect(pageMeta('/projects/', person)).toEqual(pageMeta('/projects', person))
})

test('a pattern takes one path segment', () => {
  expect(matches('/editExp/$id', '/editExp/7')).toBe(true)
  expect(matches('/editExp/$id', '/editExp/')).toBe(false)
})
