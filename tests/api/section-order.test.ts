import { expect, test } from 'vitest'
import { calls } from '#contract/api.ts'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import { skill } from '#contract/sections/skill.ts'
import { texts } from '#contract/texts/site.ts'
import { render } from '#client/entry-server.tsx'
import { membersOf, openApp, type TestApp } from '#tests/support/app.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { startSite } from '#tests/support/listener.ts'

const used = [project, experience, skill]
const asked = ['/', '/about', '/nada', '/cv', '/sitemap.xml', '/resume.json']

/** What visitors get at those addresses, from a site that has kept none of it yet. */
async function readAll(app: TestApp): Promise<readonly string[]> {
  const { url } = await startSite(app.services, render)
  return Promise.all(asked.map(async (path) => (await fetch(url + path)).text()))
}

/** Those of the pieces that a text has, as they follow each other in it. */
const inText = (text: string, pieces: readonly string[]) =>
  pieces
    .filter((piece) => text.includes(piece))
    .toSorted((a, b) => text.indexOf(a) - text.indexOf(b))

const between = (text: string, start: string, end: string) =>
  text.split(start)[1]?.split(end)[0] ?? ''

/** The sections in the order of each place that lists them, by their paths or titles. */
function ordersIn([
  home = '',
  about = '',
  missing = '',
  cv = '',
  map = '',
  resume = '',
]: readonly string[]) {
  const links = used.map(({ path }) => `"${path}"`)
  return {
    nav: [home, about, missing].map((html) => inText(between(html, '<nav', '</nav>'), links)),
    bar: inText(between(home, 'class="tabs"', '</nav>'), links),
    latest: inText(between(home, `>${texts.latest}<`, '</section>'), links),
    cv: inText(
      cv,
      used.map(({ title }) => `<h2>${title}</h2>`),
    ),
    map: inText(
      map,
      used.map(({ path }) => `${path}</loc>`),
    ),
    resume: Object.keys(JSON.parse(resume) as object).slice(-used.length),
  }
}

test('every page, the site map and the résumé follow the order that the owner gives', async () => {
  const app = await openApp()
  const arrange = (sections_order: string) =>
    app.asOwner('PUT', calls.config, { body: { sections_order } })
  for (const section of used) {
    const body = completeValues(section, { name: 'Faro' })
    expect((await app.asOwner('POST', `${section.key}/create`, { body })).status).toBe(201)
  }
  const before = await readAll(app)
  expect(ordersIn(before)).toEqual({
    nav: Array.from({ length: 3 }, () => ['"/projects"', '"/experiences"', '"/skills"']),
    bar: ['"/projects"', '"/experiences"'],
    latest: ['"/experiences"', '"/projects"'],
    cv: ['<h2>Experiencia</h2>', '<h2>Proyectos</h2>', '<h2>Habilidades</h2>'],
    map: ['/projects</loc>', '/experiences</loc>', '/skills</loc>'],
    resume: ['projects', 'work', 'skills'],
  })
  expect((await arrange('skill,proyect')).status).toBe(200)
  expect(ordersIn(await readAll(app))).toEqual({
    nav: Array.from({ length: 3 }, () => ['"/skills"', '"/projects"', '"/experiences"']),
    bar: ['"/skills"', '"/projects"'],
    latest: ['"/projects"', '"/experiences"'],
    cv: ['<h2>Habilidades</h2>', '<h2>Proyectos</h2>', '<h2>Experiencia</h2>'],
    map: ['/skills</loc>', '/projects</loc>', '/experiences</loc>'],
    resume: ['skills', 'projects', 'work'],
  })
  expect((await arrange('')).status).toBe(200)
  expect(await readAll(app)).toEqual(before)
})

test('visitors read the setting, and one that is no text is refused', async () => {
  const app = await openApp()
  const refused = await app.asOwner('PUT', calls.config, { body: { sections_order: ['skill'] } })
  expect(refused.status).toBe(422)
  await app.asOwner('PUT', calls.config, { body: { sections_order: 'skill' } })
  expect(membersOf(await app.call('GET', calls.config))).toMatchObject({ sections_order: 'skill' })
})
