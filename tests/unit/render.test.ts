import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { entriesOnCv, rowsOn } from '#contract/entries/list-pages.ts'
import { entriesShown, pages } from '#contract/pages.ts'
import { contactNotices, contactTexts } from '#contract/messages/contact.ts'
import { ownerPaths, publicPaths } from '#tests/support/page-paths.ts'
import { sections } from '#contract/sections/index.ts'
import { project } from '#contract/sections/project.ts'
import { loginTexts, setupTexts } from '#contract/access/login.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { fieldErrors, texts } from '#contract/texts/site.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { errorPageTexts } from '#contract/texts/error-page.ts'
import { render } from '#client/entry-server.tsx'
import { Broken } from '#client/site/broken.tsx'
import { errorPage } from '#server/edge/error-page.ts'
import { parseTemplate } from '#server/pages/template.ts'
import { pageTemplate } from '#tests/support/page-template.ts'
import { everySection, siteData, type SiteDataOptions } from '#tests/support/site-data.ts'

const address = 'https://lucia.example'
const draw = async (url: string, data = siteData()) => render({ url, data, address })
/** The markup without React's marks between pieces of text. */
const plain = (app: string) => app.replaceAll('<!-- -->', '')
const keysOf = (state: string) =>
  (JSON.parse(state) as { queries: [string[]][] }).queries.map(([key]) => key.join('/'))

describe.each([...publicPaths, '/cv', '/card'])('the page %s', (path) => {
  test('is painted once the bar that it may have is there, and waits for nothing that it lacks', async () => {
    const { app } = await draw(path)
    const filling = { sheet: undefined, theme: 'dark', head: '', facts: '', state: '', app }
    const { complete } = parseTemplate(pageTemplate)
    const html = complete({ ...filling, hasPdf: false, start: undefined })
    const [head = '', body = ''] = html.split('<body>')
    const awaited = /<link rel="expect" href="#([^"]+)" blocking="render">/.exec(head)?.[1]
    expect(awaited).toBe(/<header id="([^"]+)" class="site-top">/.exec(body)?.[1])
    expect(awaited === undefined).toBe(path === '/cv' || path === '/card')
  })

  test('is drawn with one heading and nothing a strict policy forbids', async () => {
    const { status, app } = await draw(path)
    expect(status).toBe(200)
    expect(app.match(/<h1/g)).toHaveLength(1)
    expect(app).not.toMatch(/<script|<style|\sstyle="|\son[a-z]+="/)
    expect(app).not.toContain(texts.loading)
  })

  test('carries no word of the owner’s tools', async () => {
    const { app } = await draw(path)
    for (const word of [ownerTexts.edit, ownerTexts.remove, ownerTexts.logout, texts.settings]) {
      expect(app).not.toContain(`>${word}<`)
      expect(app).not.toContain(`"${word}"`)
    }
  })

  test('says for every picture how large it is', async () => {
    const { app } = await draw(path)
    for (const img of app.match(/<img[^>]*>/g) ?? []) {
      expect(img).toMatch(/width="\d+"/)
      expect(img).toMatch(/height="\d+"/)
    }
  })
})

test.each(pages.filter(({ kind }) => kind !== 'owner').map(({ path }) => path))(
  'the page %s needs no entries but those that the table says it shows',
  async (path) => {
    const all = siteData()
    const from = { none: Infinity, latest: -1, cv: -entriesOnCv, all: 0 } as const
    const lists = sections.map((section) => {
      const shown = entriesShown(path, section)
      const entries = all.entries[section.key] ?? []
      const some =
        typeof shown === 'number' ? rowsOn(section, entries, shown) : entries.slice(from[shown])
      return [section.key, some]
    })
    const entries = Object.fromEntries(lists) as typeof all.entries
    expect(await draw(path, { ...all, entries })).toEqual(await draw(path, all))
  },
)

const withAll = (entries: SiteDataOptions['entries'] = {}) =>
  siteData({ settings: everySection, entries })

describe.each(sections)('the list of $key', (section) => {
  test('is handed over with its own entries only', async () => {
    const { state } = await draw(section.path)
    expect(keysOf(state)).toEqual(['person', 'settings', `entries/${section.key}`])
  })

  test('says so when it is empty', async () => {
    const { app } = await draw(section.path, withAll({ [section.key]: [] }))
    expect(app).toContain(section.words.empty)
    expect(app).toContain(section.words.emptyHint)
    expect(app).not.toContain(section.words.emptyOwner)
  })

  test('counts one entry in the singular', async () => {
    const one = { [section.display.title]: 'Una' }
    const { app } = await draw(section.path, withAll({ [section.key]: [one] }))
    expect(app).toContain(`<p>${section.words.one}</p>`)
  })

  test('stands in the order its definition asks for', async () => {
    const named = ['Primera', 'Segunda'].map((name) => ({ [section.display.title]: name }))
    const { app } = await draw(section.path, withAll({ [section.key]: named }))
    const isReversed = app.indexOf('Segunda') < app.indexOf('Primera')
    expect(isReversed).toBe(section.order === 'newest-first')
  })
})

const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ [project.display.title]: `Obra ${n + 1}.` }))

test.each(['/about', '/cv'])('%s has the CV as a file to save', async (path) => {
  const { app } = await draw(path)
  const [, words] = /<a [^>]*href="\/cv\.pdf" download="">([^<]*)<\/a>/.exec(app) ?? []
  expect(words).toBe(texts.downloadCv)
})

test('the CV shows a hundred of a section and says where the others are', async () => {
  const all = withAll({ [project.key]: numbered(entriesOnCv) })
  expect((await draw('/cv', all)).app).not.toContain('más en')
  const longer = withAll({ [project.key]: numbered(entriesOnCv + 7) })
  const { app, state } = await draw('/cv', longer)
  expect(plain(app)).toContain('<a href="/projects">7 más en Proyectos</a>')
  expect(app).toContain('>Obra 8.<')
  expect(app).not.toContain('>Obra 7.<')
  // What it was given of the list is not handed over as the list.
  expect(keysOf(state)).toContain('entries/proyect/cv')
  expect(keysOf(state)).not.toContain('entries/proyect')
  expect(keysOf(state)).toContain('entries/skill')
  const read = { ...longer.entries, [project.key]: longer.entries[project.key]?.slice(7) ?? [] }
  const counted = { ...longer, entries: read, counts: { [project.key]: entriesOnCv + 7 } }
  expect(await draw('/cv', counted)).toEqual({ status: 200, app, state })
})

test('the home page is handed over with the newest entry of a list, not the list', async () => {
  const { state, app } = await draw('/')
  expect(keysOf(state)).toEqual([
    'person',
    'settings',
    'entries/experience/latest',
    'entries/proyect/latest',
  ])
  expect(app).toContain('Mareas')
  expect(state).not.toContain('Feria cerca')
})

test.each(sections.filter(({ startsOff }) => startsOff))(
  '$title is nowhere until it is turned on, whatever it holds',
  async (section) => {
    const entries = { [section.key]: [{ [section.display.title]: 'Escondida' }] }
    for (const path of ['/', '/cv', section.path]) {
      const off = await draw(path, siteData({ entries }))
      expect(off.app).not.toContain(section.title)
      expect(off.app).not.toContain(section.path)
      expect(off.app).not.toContain('Escondida')
    }
    expect((await draw('/', withAll(entries))).app).toContain(`href="${section.path}"`)
    expect((await draw('/cv', withAll(entries))).app).toContain('Escondida')
  },
)

test('a section without pictures draws none', async () => {
  const [section] = sections.filter(({ images }) => !images)
  if (!section) throw new Error('every section has pictures')
  const { app } = await draw(
    section.path,
    withAll({ [section.key]: [{ name: 'Quechua', level: 'B1' }] }),
  )
  const card = app.slice(app.indexOf('<article'), app.indexOf('</article>'))
  expect(card).toContain('Quechua')
  expect(card).toContain('B1')
  expect(card).not.toContain('<img')
  expect(card).not.toContain('<figure')
})

test('a hidden section leaves the navigation and the home page', async () => {
  const { app } = await draw('/', siteData({ settings: { sections_hidden: 'proyect' } }))
  expect(app).not.toContain(`href="${project.path}"`)
  expect(app).toContain('href="/experiences"')
})

test('the notice of the home page is a link where it has an address, and ends with its day', async () => {
  const banner = (settings: Readonly<Record<string, string>>) =>
    draw('/', siteData({ settings: { banner_text: 'Charla el jueves', ...settings } }))
  const [text, link, past] = [
    await banner({}),
    await banner({ banner_url: 'example.com/charla', banner_until: '9999-12-31' }),
    await banner({ banner_until: '2001-01-01' }),
  ]
  expect(text.app).toContain('<p class="alert banner">Charla el jueves</p>')
  expect(link.app).toContain('<a href="https://example.com/charla">Charla el jueves</a>')
  expect(past.app).not.toContain('Charla el jueves')
})

test('the contact page says when she answers, in her words or not at all', async () => {
  const contact = (words?: string) =>
    draw(
      '/contact',
      siteData({ settings: words === undefined ? {} : { contact_reply_text: words } }),
    )
  const [own, none] = [await contact('Respondo los lunes.'), await contact('')]
  expect((await contact()).app).toContain(defaultSettings.contact_reply_text)
  expect(own.app).toContain(`${contactTexts.lead} Respondo los lunes.`)
  expect(none.app).not.toContain(defaultSettings.contact_reply_text)
})

test('a profile is announced by its own address, not by what it might hold', async () => {
  const github_url = 'https://www.github.com/lucia/'
  const { app } = await draw('/contact', siteData({ settings: { github_url } }))
  expect(app).toContain('<small>github.com/lucia</small>')
})

test('the typed title is drawn in the colours of the settings, by the service they name', async () => {
  const colors = { typing_color_dark: 'aabbcc', typing_color_light: '112233' }
  const own = await draw('/', siteData({ settings: colors }))
  for (const color of Object.values(colors)) expect(own.app).toContain(`color=${color}`)
  expect(own.app).not.toContain(`color=${defaultSettings.typing_color_dark}`)
  const typing_image_url = 'https://titles.example'
  const other = await draw('/', siteData({ settings: { ...colors, typing_image_url } }))
  expect(other.app).toMatch(/src="https:\/\/titles\.example\?lines=[^"]*color=aabbcc/)
})

test.each(['/nada', '/projects/1', '/admin'])('%s is a page that does not exist', async (path) => {
  const { status, app } = await draw(path)
  expect(status).toBe(404)
  expect(app).toContain(texts.notFound)
})

test.each(ownerPaths.map((path) => path.replace('$id', '1')))(
  '%s is the same wait for everybody until the browser knows the session',
  async (path) => {
    const { status, app } = await draw(path)
    expect(status).toBe(200)
    expect(app).toContain(texts.loading)
    expect(app).not.toContain('<form')
    // The mark of a part that the server gave up on.
    expect(app).not.toContain('<!--$!-->')
  },
)

test('the login is drawn as a form that would be posted, with its words, and says what it needs', async () => {
  const { status, app } = await draw('/login')
  expect(status).toBe(200)
  expect(app).not.toContain(texts.loading)
  expect(app).toContain(`<h1>${loginTexts.title}</h1>`)
  expect(app).toMatch(/<form(?=[^>]* method="post")(?=[^>]* action="\/login")[^>]*>/)
  expect(app).toMatch(/<input(?=[^>]* name="userName")(?=[^>]* type="email")[^>]*>/)
  expect(app).toMatch(/<input(?=[^>]* name="password")(?=[^>]* type="password")[^>]*>/)
  expect(app).toMatch(/<input(?=[^>]* type="checkbox")(?=[^>]* name="keep")[^>]*>/)
  expect(app).toMatch(/<button type="submit"[^>]*>Iniciar sesión<\/button>/)
  for (const words of [loginTexts.lead, loginTexts.withKey, loginTexts.recover]) {
    expect(app).toContain(words)
  }
  const [, unscripted = ''] = /<noscript>(.*?)<\/noscript>/.exec(app) ?? []
  expect(unscripted).toContain(loginTexts.needsScript)
  expect(app).not.toMatch(/<script|rel="preload"|<!--\$!-->/)
  // Every symbol of the form's own is there without the application.
  for (const name of ['eye', 'key']) expect(app).toContain(`<symbol id="i-${name}"`)
  expect(app.match(/<symbol /g)).toHaveLength(2)
})

test('the set-up page is drawn with its title, looking at the link, and says what it needs', async () => {
  const { status, app } = await draw('/configurar')
  expect(status).toBe(200)
  expect(app).not.toContain(texts.loading)
  expect(app).toContain(`<h1>${setupTexts.title}</h1>`)
  expect(app).toContain(setupTexts.checking)
  expect(app).toMatch(new RegExp(`<noscript>.*${loginTexts.needsScript}.*</noscript>`))
  expect(app).not.toMatch(/<form|<!--\$!-->/)
})

test('a login that was sent without the application says so, and holds nothing of what was typed', async () => {
  const posted = {
    values: {},
    errors: {},
    outcome: 'failed',
    notice: loginTexts.unsent,
  } as const
  const { app, state } = await render({ address, url: '/login', data: siteData(), posted })
  expect(app).toMatch(new RegExp(`role="alert">.*${loginTexts.unsent}.*<form`))
  expect(JSON.parse(state)).toMatchObject({ posted: { outcome: 'failed' } })
})

test('a trailing slash and a query are the same page', async () => {
  expect((await draw('/about/?de=correo')).app).toBe((await draw('/about')).app)
})

test.each(['javascript:alert(1)', 'Privado', '//example.com'])(
  'the link %s is text, not a link',
  async (link) => {
    const entry = { name: 'Una', description: 'x', duration: 'y', repo: link, demo: '' }
    const { app } = await draw('/projects', siteData({ entries: { proyect: [entry] } }))
    expect(plain(app).includes(`<b>Repo:</b> ${link}`)).toBe(true)
    expect(app.includes(`href="${link}"`)).toBe(false)
  },
)

test('a bare host opens as https in a new tab that learns nothing', async () => {
  const entry = { name: 'Una', description: 'x', duration: 'y', repo: 'github.com/x', demo: '' }
  const { app } = await draw('/projects', siteData({ entries: { proyect: [entry] } }))
  const link = /<a class="ext-link"[^>]*>/.exec(app)?.[0]
  expect(link).toContain('href="https://github.com/x"')
  expect(link).toContain('target="_blank" rel="noopener noreferrer"')
  expect(link).toContain('Repo de Una (se abre en otra pestaña)')
})

test('footer and facts leave out what the settings do not name', async () => {
  const settings = { email: '', linkedin_url: '', github_url: '', age_text: '' }
  const { app } = await draw('/about', siteData({ settings }))
  for (const word of [texts.copyEmail, texts.linkedin, texts.github, texts.factAge]) {
    expect(app).not.toContain(word)
  }
})

test('a long name is set smaller', async () => {
  const person = { name: 'María Fernanda', lastname: 'Rodríguez' }
  expect((await draw('/', siteData({ person }))).app).toContain('<h1 class="long">')
  expect((await draw('/')).app).toContain('<h1>')
})

test('a form that came without JavaScript is drawn with what was typed and what is wrong', async () => {
  const { app } = await render({
    address,
    url: '/contact',
    data: siteData(),
    posted: {
      values: { name: 'Ana "la" <b>', email: 'no', message: 'Hola' },
      errors: { email: fieldErrors.email },
      outcome: 'invalid',
      notice: '',
    },
  })
  expect(app).toContain('value="Ana &quot;la&quot; &lt;b&gt;"')
  expect(app).toMatch(/<input[^>]*id="contact-email"[^>]*aria-invalid="true"/)
  expect(app).toContain(fieldErrors.email)
  expect(app).toContain('>Hola</textarea>')
})

test('a message sent without JavaScript is confirmed in the form’s place', async () => {
  const { app, state } = await render({
    address,
    url: '/contact',
    data: siteData(),
    posted: { values: {}, errors: {}, outcome: 'sent', notice: contactNotices.sent },
  })
  expect(app).toContain(contactNotices.sent)
  expect(app).toContain(contactTexts.sentTitle)
  expect(app).not.toContain('<form')
  expect(JSON.parse(state)).toMatchObject({ posted: { outcome: 'sent' } })
})

test('a closed contact form is said to be closed', async () => {
  const closed = { contact_enabled: 'false' }
  const { app } = await draw('/contact', siteData({ settings: closed }))
  expect(app).toContain(defaultSettings.contact_disabled_text)
  expect(app).not.toContain('<form')
  const settings = { ...closed, contact_disabled_text: 'Vuelvo en mayo.' }
  expect((await draw('/contact', siteData({ settings }))).app).toContain('Vuelvo en mayo.')
})

test('content cannot end the element that carries the state', async () => {
  const person = { description: '</script><script>alert(1)</script>' }
  const { state } = await draw('/about', siteData({ person }))
  expect(state).not.toContain('<')
  expect(JSON.stringify(JSON.parse(state))).toContain('</script>')
})

test('that a failure is written down already is said where the server wrote it down, and by no browser', () => {
  expect(errorPage('')).toContain(`<p>${errorPageTexts.logged} ${texts.brokenHint}</p>`)
  expect(renderToStaticMarkup(createElement(Broken))).toContain(`<p>${texts.brokenHint}</p>`)
})
