import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  entriesPerPage,
  listAt,
  pagesOf,
  pathOfPage,
  rowsOn,
} from '#contract/entries/list-pages.ts'
import { pageAt, pageTitle } from '#contract/pages.ts'
import { project } from '#contract/sections/project.ts'
import { texts } from '#contract/texts/site.ts'
import { pageOfRow } from '#client/owner/editor/page-of-row.ts'
import { render } from '#client/entry-server.tsx'
import { siteData } from '#tests/support/site-data.ts'

const path = (rest: string) => `${project.path}${rest}`
const address = 'https://lucia.example'
const orders = ['newest-first', 'as-loaded'] as const

describe('the address of a page of a list', () => {
  test.each([
    ['', 1],
    ['/', 1],
    ['/2', 2],
    ['/37', 37],
    ['/0', 0],
  ])('%s is page %d', (rest, page) => {
    expect(listAt(path(rest))).toEqual({ section: project, page })
  })

  test.each(['/1', '/02', '/-2', '/2.5', '/12345', '/dos', '/2/3', 's', '/2 '])(
    '%s is none',
    (rest) => {
      expect(listAt(path(rest))).toBeUndefined()
      expect(pageAt(path(rest))).toBeUndefined()
    },
  )

  test('is named with its number from the second on', () => {
    const { person } = siteData()
    expect(pageTitle(path('/2'), person)).toMatch(/^Proyectos, página 2 · /)
    expect(pageTitle(path(''), person)).toMatch(/^Proyectos · /)
    expect(pageTitle(path('/0'), person)).toContain(texts.notFound)
  })
})

test('every entry stands on one page, in the order of the list', () => {
  fc.assert(
    fc.property(fc.constantFrom(...orders), fc.nat(130), (order, count) => {
      const rows = Array.from({ length: count }, (_, i) => i)
      const pages = Array.from({ length: pagesOf(count) }, (_, i) => i + 1)
      const seen = pages.flatMap((page) => {
        const on = rowsOn({ order }, rows, page)
        for (const row of on) expect(pageOfRow({ order }, row, count)).toBe(page)
        return order === 'newest-first' ? on.toReversed() : on
      })
      expect(seen).toEqual(order === 'newest-first' ? rows.toReversed() : rows)
      expect(rowsOn({ order }, rows, pages.length + 1)).toEqual([])
      expect(rowsOn({ order }, rows, 0)).toEqual([])
    }),
  )
})

describe('a list that is longer than a page', () => {
  const names = Array.from({ length: 2 * entriesPerPage + 1 }, (_, i) => `Obra ${i + 1}`)
  const data = siteData({ entries: { [project.key]: names.map((name) => ({ name })) } })
  const draw = async (page: number) => {
    const { app, state } = await render({ url: pathOfPage(project, page), data, address })
    const shown = [...app.matchAll(/<h2[^>]*>(Obra \d+)</g)].map(([, name]) => name)
    return { app: app.replaceAll('<!-- -->', ''), state, shown }
  }

  test('shows and hands over the entries of the page alone, and how many there are', async () => {
    const { app, state, shown } = await draw(2)
    expect(shown).toEqual(names.slice(1, 1 + entriesPerPage).toReversed())
    expect(app).toContain(`<p>${names.length} proyectos</p>`)
    expect(state).not.toContain('"Obra 1"')
    expect(state).not.toContain(`"Obra ${names.length}"`)
  })

  test('has links to the pages beside it, to its first and its last', async () => {
    const hrefs = async (page: number) => {
      const [, nav = ''] = /<nav class="pager"[^>]*>(.*?)<\/nav>/.exec((await draw(page)).app) ?? []
      return [...nav.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
    }
    // Of three pages all have their number: one that is left out alone looks forgotten.
    const numbered = ['/projects', '/projects/2', '/projects/3']
    expect(await hrefs(1)).toEqual([...numbered, '/projects/2'])
    expect(await hrefs(3)).toEqual(['/projects/2', ...numbered])
  })

  test('says where it has no page', async () => {
    const { app, shown } = await draw(0)
    expect(shown).toEqual([])
    expect(app).toContain(texts.notFound)
  })
})

test('a list that fits on a page has no links to others', async () => {
  const names = Array.from({ length: entriesPerPage }, (_, i) => `Obra ${i + 1}`)
  const data = siteData({ entries: { [project.key]: names.map((name) => ({ name })) } })
  const { app, state } = await render({ url: project.path, data, address })
  expect(app).not.toContain('class="pager"')
  expect(state).toContain(`["entries","${project.key}"]`)
})
