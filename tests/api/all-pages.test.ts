import { brotliCompressSync, constants } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  allPagesPath,
  mostKeptEntries,
  shellPath,
  type GivenPage,
} from '#contract/offline/kept-page.ts'
import { personId } from '#contract/limits.ts'
import { pages } from '#contract/pages.ts'
import { project } from '#contract/sections/project.ts'
import { skill } from '#contract/sections/skill.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { calls, ownHeader } from '#contract/api.ts'
import type { Render } from '#server/pages/document.ts'
import { membersOf, openApp } from '#tests/support/app.ts'
import { formValues } from '#tests/support/entries.ts'
import { framed } from '#sw/page-frame.ts'
import { drawAll, emptySiteData, startListener, startSite } from '#tests/support/listener.ts'
import { pageTemplate } from '#tests/support/page-template.ts'
import { firstSections, offPaths } from '#tests/support/page-paths.ts'

/** What travels with an answer and is none of the page's. */
const ofTheAnswer = /^(?:connection|content-length|date|keep-alive|x-request-id)$/

async function givenBy(url: string): Promise<Readonly<Record<string, GivenPage>>> {
  const answer = await fetch(url + allPagesPath)
  expect(answer.headers.get(ownHeader)).toBe('1')
  return (await answer.json()) as Readonly<Record<string, GivenPage>>
}

test('all pages for everybody come in one answer, each as it comes by itself but for its frame', async () => {
  // The contact form carries a mark in its address.
  const render: Render = async ({ url: path }) => {
    return { status: 200, app: `<main>${path}<form action="/contact"></main>`, state: '{}' }
  }
  const template = pageTemplate.replace('</head>', '<script>a</script><style>b{}</style></head>')
  const { url } = await startListener({ render, template })
  const given = await givenBy(url)
  const home = await fetch(url)
  const whole = new Response(await home.text(), { headers: home.headers })
  const everybodys = pages.filter(({ kind }) => kind === undefined).map(({ path }) => path)
  const drawn = everybodys.filter((path) => !offPaths.includes(path))
  expect(Object.keys(given)).toEqual([...drawn, shellPath])
  for (const [path, { headers, text }] of Object.entries(given)) {
    const answer = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } })
    expect(text).not.toContain('<script>a')
    expect(await framed({ headers, text }, whole.clone())).toBe(await answer.text())
    const own = [...answer.headers].filter(([name]) => !ofTheAnswer.test(name))
    expect(Object.fromEntries(new Headers(headers))).toEqual(Object.fromEntries(own))
  }
})

test('what the API answers to visitors comes with them, as it comes by itself', async () => {
  const { services, asOwner } = await openApp()
  const create = (name: string) =>
    asOwner('POST', `${project.key}/create`, { body: formValues(project, name) })
  await create('A la vista')
  const { id } = membersOf(await create('A escondidas'))
  await asOwner('PUT', `${project.key}/update/${String(id)}`, { body: { hidden: 'true' } })
  await asOwner('PUT', calls.config, { body: { sections_hidden: skill.key } })
  const { url } = await startSite(services, drawAll)
  const given = await givenBy(url)
  const reads = Object.keys(given).filter((path) => path.startsWith('/api/'))
  const shown = firstSections.filter(({ key }) => key !== skill.key)
  const own = [`${calls.personDetail}/${personId}`, calls.config, ...shown.map(({ key }) => key)]
  expect(reads).toEqual(own.map((read) => `/api/${read}`))
  for (const path of reads) {
    const answer = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } })
    expect(given[path]?.text).toBe(await answer.text())
    const headers = [...answer.headers].filter(([name]) => !ofTheAnswer.test(name))
    expect(Object.fromEntries(new Headers(given[path]?.headers))).toMatchObject(
      Object.fromEntries(headers),
    )
  }
  expect(given[`/api/${project.key}`]?.text).toContain('A la vista')
  expect(JSON.stringify(given)).not.toContain('A escondidas')
})

test('no section that visitors have not is among them', async () => {
  const settings = { ...defaultSettings, sections_hidden: 'skill' }
  const { url } = await startListener({ readSite: async () => emptySiteData({}, { settings }) })
  const given = await givenBy(url)
  expect(given).not.toHaveProperty('/skills')
  expect(given).toHaveProperty('/projects')
})

test('a page of too many entries is not among them, so that it does not weigh on the others', async () => {
  const withEntries = async (count: number) => {
    const counts = { proyect: count - 1, skill: 1 }
    return givenBy(
      (await startListener({ readSite: async () => emptySiteData({}, { counts }) })).url,
    )
  }
  expect(await withEntries(mostKeptEntries)).toHaveProperty('/cv')
  const given = await withEntries(mostKeptEntries + 1)
  expect(given).not.toHaveProperty('/cv')
  expect(given).toHaveProperty('/projects')
})

test.each([allPagesPath, '/index.html'])(
  'the first reader of %s, a worker, gets it as small as it can be',
  async (path) => {
    const text = Array.from({ length: 3000 }, (_, n) => `<p>${n * n}</p>`).join('')
    const template = pageTemplate.replace('</body>', `${text}</body>`)
    const { url } = await startListener({ template })
    const answer = await fetch(url + path, { headers: { 'accept-encoding': 'br' } })
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 22,
    }
    const best = brotliCompressSync(await answer.clone().bytes(), { params }).length
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(best * 1.02)
  },
)

test('they are drawn once, until the content changes', async () => {
  let revision = 1
  let drawn = 0
  const { url } = await startListener({
    readRevision: async () => revision,
    render: async () => ({ status: 200, app: `<main>${++drawn}</main>`, state: '{}' }),
  })
  const first = await givenBy(url)
  const times = drawn
  expect(await givenBy(url)).toEqual(first)
  expect(drawn).toBe(times)
  revision = 2
  await fetch(`${url}/api/person`, { method: 'PUT' })
  expect((await givenBy(url))['/about']?.text).not.toBe(first['/about']?.text)
})

test('they wait for an answer of the API that cannot be given now, and are kept with it', async () => {
  let isUp = false
  const { url } = await startListener({
    readAnswer: () => (isUp ? Response.json([]) : new Response(null, { status: 503 })),
  })
  const refused = await fetch(url + allPagesPath)
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([503, 'no-store'])
  isUp = true
  expect(await givenBy(url)).toHaveProperty(`/api/${calls.config}`)
})
