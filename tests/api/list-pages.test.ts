import { describe, expect, test } from 'vitest'
import { entriesOnCv, entriesPerPage, pathOfPage } from '#contract/entries/list-pages.ts'
import type { Section } from '#contract/sections/section.ts'
import { project } from '#contract/sections/project.ts'
import { skill } from '#contract/sections/skill.ts'
import { createEntry } from '#server/db/entries.ts'
import { openApp, type TestApp } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { emptySiteData, startListener, startSites } from '#tests/support/listener.ts'

/** Two pages and one entry; the one before the last is hidden. */
const count = 2 * entriesPerPage + 1
const hidden = 'Escondida'
const nameAt = (index: number) => (index === count ? hidden : `Obra ${index + 1}`)
const visible = Array.from({ length: count + 2 }, (_, index) => nameAt(index)).filter(
  (name) => name !== hidden,
)

/** The site of an app, whose pages show what they are drawn from; and the names of a section's entries in them. */
async function openSite(app: TestApp, section: Section) {
  const next = await startSites(app, async ({ url: path, data }) => ({
    status: 200,
    app: `<main>${path}</main>`,
    state: JSON.stringify({ rows: data.entries[section.key], counts: data.counts }),
  }))
  return async (path: string) => {
    const answer = await fetch(next() + path)
    const html = await answer.text()
    const state = /<script[^>]*id="state"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '{}'
    const { rows = [], counts = {} } = JSON.parse(state) as {
      readonly rows?: readonly { readonly fields: Readonly<Record<string, string>> }[]
      readonly counts?: Readonly<Record<string, number>>
    }
    const names = rows.map(({ fields }) => fields[section.display.title])
    return { status: answer.status, html, names, count: counts[section.key] }
  }
}

async function fill(app: TestApp, section: Section): Promise<void> {
  for (let index = 0; index < count + 2; index++) {
    const name = nameAt(index)
    const values = completeValues(section, { [section.display.title]: name })
    await createEntry(app.services.db, section, {
      values: name === hidden ? { ...values, hidden: 'true' } : values,
    })
  }
}

describe.each(engines)('on %s', (engine) => {
  test.each([project, skill])('a page of $key reads what it shows', async (section) => {
    const app = await openApp({ engine })
    await fill(app, section)
    const read = await openSite(app, section)
    const shown = section.order === 'newest-first' ? visible.toReversed() : visible
    const inOrder = (names: readonly (string | undefined)[]) =>
      section.order === 'newest-first' ? names.toReversed() : names
    for (const page of [1, 2, 3]) {
      const { status, names, count: all } = await read(pathOfPage(section, page))
      const from = (page - 1) * entriesPerPage
      expect(inOrder(names)).toEqual(shown.slice(from, from + entriesPerPage))
      expect([status, all]).toEqual([200, visible.length])
    }
  })
})

test.each([project, skill])('the CV reads what it shows of $key', async (section) => {
  const app = await openApp()
  for (let n = 1; n <= entriesOnCv + 2; n++) {
    const values = completeValues(section, { [section.display.title]: `Obra ${n}` })
    await createEntry(app.services.db, section, { values })
  }
  const read = await openSite(app, section)
  const { names, count: all } = await read('/cv')
  const first = section.order === 'newest-first' ? 3 : 1
  expect([names.length, names[0], all]).toEqual([entriesOnCv, `Obra ${first}`, entriesOnCv + 2])
})

test('a page says its number to search engines, and the site map names them all', async () => {
  const app = await openApp()
  await fill(app, project)
  const read = await openSite(app, project)
  const second = await read('/projects/2')
  expect(second.html).toContain('<title>Proyectos, página 2 · ')
  expect(second.html).toMatch(/<link rel="canonical" href="[^"]+\/projects\/2">/)
  expect(second.html).toContain(`"numberOfItems":${visible.length}`)
  expect(second.html).toContain(`"position":${entriesPerPage + 1},`)
  const { html: map } = await read('/sitemap.xml')
  expect(map.match(/\/projects[^<]*/g)).toEqual(['/projects', '/projects/2', '/projects/3'])
  expect(map.match(/\/skills[^<]*/g)).toEqual(['/skills'])
})

test('beyond the last page there is none, and whatever is asked for there is drawn once', async () => {
  const app = await openApp()
  await fill(app, project)
  const read = await openSite(app, project)
  for (const path of ['/projects/4', '/projects/9999', '/projects/0']) {
    const { status, html, names } = await read(path)
    expect([status, names]).toEqual([404, []])
    expect(html).toContain('<main>/projects/0</main>')
    expect(html).toContain('noindex')
  }
  for (const path of ['/projects/1', '/projects/dos', '/projects/2/3']) {
    const { status, html } = await read(path)
    expect(status).toBe(404)
    expect(html).toContain('<main>/404</main>')
  }
})

test('of addresses beyond the last page none but the first is read for', async () => {
  let readings = 0
  const rows = Array.from({ length: 2 }, (_, index) => ({
    id: String(index),
    version: 1,
    fields: {},
  }))
  const { url } = await startListener({
    readSite: async () => {
      readings++
      return emptySiteData({}, { entries: { [project.key]: rows } })
    },
  })
  await fetch(`${url}/projects/2`)
  const before = readings
  for (const path of ['/projects/2', '/projects/3', '/projects/9999', '/projects/0']) {
    expect((await fetch(url + path)).status).toBe(404)
  }
  expect(readings).toBe(before)
})

test('no page of a hidden section is there', async () => {
  const app = await openApp()
  await fill(app, project)
  await app.asOwner('PUT', 'config', { body: { sections_hidden: project.key } })
  const read = await openSite(app, project)
  for (const path of ['/projects/2', '/projects/3', '/projects/77']) {
    const { status, html } = await read(path)
    expect(status).toBe(404)
    expect(html).not.toContain('Obra')
    expect(html).not.toContain(String(visible.length))
    expect(html).toContain('data-start="now"')
  }
  expect((await read('/sitemap.xml')).html).not.toContain('/projects')
})
