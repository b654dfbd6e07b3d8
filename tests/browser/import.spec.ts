import { writeFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright/test'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import { sections } from '#contract/sections/index.ts'
import { resumeCalls } from '#contract/resume/resume-calls.ts'
import { fill } from '#contract/text.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { importTexts } from '#contract/texts/import.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { faultsInBothThemes, lookWidths, sidewaysOf } from '#tests/support/axe.ts'
import { refuse } from '#tests/support/answers.ts'
import { expect, logOut, logOutButton, takeSession, test } from '#tests/support/browser.ts'
import { foreignChoices } from '#tests/support/choices.ts'
import { databaseText } from '#tests/support/device.ts'
import { applyButton, fileChooser, giveFile, importBar } from '#tests/support/import-page.ts'
import { linkedInTables, linkedInZip } from '#tests/support/linkedin.ts'
import { exampleResumes } from '#tests/support/resumes.ts'
import { openSite, type Site } from '#tests/support/site.ts'

test.use({ writes: true, locale: 'es' })

const rowOf = (page: Page, name: string) =>
  page.locator('.props li').filter({ has: page.locator('b').getByText(name, { exact: true }) })

/** Where what the row's entry and the file say is compared. */
async function compare(row: Locator): Promise<Locator> {
  await row.getByRole('button').click()
  return row.page().getByRole('dialog')
}
const combine = (sheet: Locator) => sheet.getByRole('button', { name: importTexts.combineSo })

/** Takes the file's word wherever the two differ. */
async function takeAllOf(row: Locator): Promise<void> {
  const sheet = await compare(row)
  for (const side of await sheet.getByLabel(importTexts.inResume).all()) await side.check()
  await combine(sheet).click()
  await expect(sheet).toHaveCount(0)
}

async function listOf(site: Site, key: string): Promise<readonly Record<string, string>[]> {
  return (await site.call('GET', key)).json as unknown as readonly Record<string, string>[]
}

async function open(page: Page, base = ''): Promise<void> {
  await page.goto(`${base}/traer`)
  await expect(fileChooser(page)).toBeEnabled()
}

/** Lets go files of the disk at a place of the page, as a person does with a mouse. */
async function dropAt(page: Page, place: Locator, ...files: readonly string[]): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await place.boundingBox()) ?? {}
  const at = { x: x + width / 2, y: y + height / 2 }
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  const session = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
}

/** Takes everything off a site that was begun with the sample. */
async function empty(site: Site): Promise<void> {
  for (const { key } of sections) {
    for (const { id } of await listOf(site, key)) await site.call('DELETE', `${key}/delete/${id}`)
  }
}

const unsaid = new Set(['id', 'version', 'image', 'icon'])

/** What the site says, without ids and versions. */
async function sayingsOf(site: Site): Promise<unknown> {
  const lists = await Promise.all(
    [...sections.map(({ key }) => key), 'person'].map((key) => listOf(site, key)),
  )
  const { json } = await site.call('GET', 'config')
  const said = lists.map((list) =>
    list.map((entry) => Object.entries(entry).filter(([name]) => !unsaid.has(name))),
  )
  return { said, settings: json }
}

test("LinkedIn's copy becomes proposals, the accepted ones are applied, and undone as one", async ({
  owner,
  site,
}) => {
  await empty(site)
  await site.call('POST', 'skill/create', { body: { name: 'TypeScript' } })
  const before = await sayingsOf(site)
  await open(owner)
  await giveFile(owner, 'Basic_LinkedInDataExport.zip', linkedInZip())
  await expect(owner.getByText(/propuestas de LinkedIn/)).toBeVisible()
  // Said twice in the file, proposed once; two posts in one house are two.
  await expect(rowOf(owner, 'Taller Prueba')).toHaveCount(2)
  await expect(rowOf(owner, 'TypeScript')).toHaveCount(1)
  await expect(rowOf(owner, 'TypeScript')).toContainText(importTexts.isThere)
  const long = rowOf(owner, 'Mapa de bibliotecas populares de la región')
  await expect(long).toContainText('42/20 · 131/90')
  await expect(long).toContainText(importTexts.tooLong)
  await applyButton(owner).click()
  await expect(owner.getByText(importTexts.allSent)).toBeVisible()
  const made = await listOf(site, experience.key)
  expect(made.map(({ name }) => name)).toEqual(['Taller Prueba', 'Taller Prueba', 'Nube Ficticia'])
  expect(made.at(-1)).toMatchObject({
    role: 'Líder técnica',
    duration: 'Marzo 2024 – actualidad',
    description: 'Lidero un equipo de cuatro personas.\nMigramos el panel a React, "sin parar".',
  })
  expect((await listOf(site, project.key)).map(({ name }) => name)).toEqual(['Turnero simple'])
  // What has no place is in her own file, and in nobody else's.
  const own = (await site.call('GET', resumeCalls.resume)).json
  expect(own).toMatchObject({ basics: { phone: '+598 99 000 000 ext. 12' } })
  expect(own['volunteer']).toHaveLength(1)
  const publicResume = await (await fetchInTime(`${site.url}/resume.json`)).text()
  expect(publicResume).not.toContain('+598')
  await owner.getByRole('button', { name: importTexts.undo }).click()
  await expect(owner.getByText(importTexts.undone)).toBeVisible()
  await expect(owner.getByText(importTexts.allSent)).toBeVisible()
  expect(await sayingsOf(site)).toEqual(before)
  expect((await site.call('GET', resumeCalls.resume)).json).not.toHaveProperty('volunteer')
})

const exported = [
  ['resume.json', 'button', importTexts.download],
  ['PDF', 'link', importTexts.downloadPdf],
] as const

test('where the CV is given out as a file it is said which letters it has', async ({ owner }) => {
  await owner.goto('/settings#datos')
  const line = owner.locator('.setting').filter({ hasText: importTexts.pdfCv })
  await expect(line.getByRole('link', { name: importTexts.downloadPdf })).toBeVisible()
  await expect(line).toContainText(importTexts.pdfCvLetters)
})

for (const [what, role, label] of exported)
  test(`the ${what} of one site makes another one the same`, async ({ owner, site, watch }) => {
    const next = await openSite()
    try {
      await empty(next)
      await site.call('POST', 'experience/create', {
        body: {
          name: 'Nube Real',
          description: 'Uno\n\ndos',
          duration: 'un rato largo',
          info: 'Privado',
          role: 'Jefa',
        },
      })
      await site.call('POST', 'skill/create', { body: { name: 'Zig', group: 'Lenguajes' } })
      await site.call('PUT', 'config', {
        body: { location_text: 'Quito', availability_text: 'Ocupada.' },
      })
      await owner.goto('/settings#datos')
      const downloading = owner.waitForEvent('download')
      await owner.getByRole(role, { name: label }).click()
      const file = await (await downloading).path()
      const page = await owner.context().newPage()
      watch.add(page, next.url)
      await page.goto(`${next.url}/api/health`)
      await takeSession(page, await next.signIn())
      await open(page, next.url)
      await fileChooser(page).setInputFiles(file)
      // The profile of both began with the same sample; where they differ the file's word is taken.
      await takeAllOf(rowOf(page, importTexts.profile))
      await applyButton(page).click()
      await expect(page.getByText(importTexts.allSent)).toBeVisible()
      expect(await sayingsOf(next)).toEqual(await sayingsOf(site))
    } finally {
      await next.close()
    }
  })

for (const [name, resume] of exampleResumes)
  test(`what ${name} says goes in through the browser, and comes out as it was`, async ({
    owner,
    site,
  }) => {
    await empty(site)
    // What the sample says and no résumé can take away.
    await site.call('PUT', 'person/update/1', { body: { image: '' } })
    await site.call('PUT', 'config', { body: { age_text: '', linkedin_url: '', github_url: '' } })
    await open(owner)
    await giveFile(owner, 'resume.json', JSON.stringify(resume))
    await takeAllOf(rowOf(owner, importTexts.profile))
    await applyButton(owner).click()
    await expect(owner.getByText(importTexts.allSent)).toBeVisible()
    expect((await site.call('GET', resumeCalls.resume)).json).toEqual(resume)
  })

test('without a connection the accepted ones wait, and are undone before they were sent', async ({
  owner,
  site,
  context,
}) => {
  await empty(site)
  await open(owner)
  await expect(logOutButton(owner)).toBeVisible()
  await context.setOffline(true)
  const resume = { work: [{ name: 'Uno' }, { name: 'Dos' }], volunteer: [{ organization: 'Tres' }] }
  await giveFile(owner, 'resume.json', JSON.stringify(resume))
  await applyButton(owner).click()
  await expect(owner.getByText(importTexts.waitingOffline)).toBeVisible()
  await owner.getByRole('button', { name: importTexts.undo }).click()
  await expect(owner.getByText(importTexts.undone)).toBeVisible()
  await context.setOffline(false)
  await owner.getByRole('button', { name: importTexts.another }).click()
  await giveFile(owner, 'resume.json', JSON.stringify({ ...resume, work: [{ name: 'Cuatro' }] }))
  await applyButton(owner).click()
  await expect(owner.getByText(importTexts.allSent)).toBeVisible()
  expect((await listOf(site, experience.key)).map(({ name }) => name)).toEqual(['Cuatro'])
  // What an import changed can be undone until LogOut, and is then on this device no longer.
  expect(await databaseText(owner, 'tintero-imports')).toContain('resume.json')
  await logOut(owner)
  expect(await databaseText(owner, 'tintero-imports')).not.toContain('resume.json')
})

/** A file that says something else of the profile, of two settings and of an entry that the site has. */
const otherWords = {
  basics: {
    label: 'Ilustradora',
    summary: 'Dibujo libros.',
    location: { city: 'Quito' },
    profiles: [{ network: 'LinkedIn', url: 'https://www.linkedin.com/in/prueba' }],
  },
  work: [{ name: 'Taller', summary: 'Del archivo.', startDate: '2024-03' }],
}

/** Brings it in and takes the file's word wherever the two differ. */
async function takeItsWord(page: Page): Promise<void> {
  await giveFile(page, 'resume.json', JSON.stringify(otherWords))
  for (const name of [importTexts.profile, 'Taller']) await takeAllOf(rowOf(page, name))
  await applyButton(page).click()
  await expect(page.getByText(importTexts.allSent)).toBeVisible()
}

/** The profile, the settings and the entry as the site has them after that. */
async function wordsOf(site: Site): Promise<Readonly<Record<string, unknown>>> {
  const [person] = await listOf(site, 'person')
  const [entry] = await listOf(site, experience.key)
  const config = (await site.call('GET', 'config')).json as unknown as Record<string, string>
  return {
    title: person?.['title'],
    about: person?.['description'],
    place: config['location_text'],
    address: config['linkedin_url'],
    description: entry?.['description'],
    duration: entry?.['duration'],
  }
}

const itsWords = {
  title: 'Ilustradora',
  about: 'Dibujo libros.',
  place: 'Quito',
  address: 'https://www.linkedin.com/in/prueba',
  description: 'Del archivo.',
  duration: 'Marzo 2024 – actualidad',
}

test('what is combined is chosen by dots of the site’s own look', async ({ owner, site }) => {
  await empty(site)
  const body = { name: 'Taller', description: 'Mía.', duration: 'Un rato', info: 'Privado' }
  await site.call('POST', 'experience/create', { body })
  await open(owner)
  await giveFile(owner, 'resume.json', JSON.stringify(otherWords))
  const sheet = await compare(rowOf(owner, 'Taller'))
  await sheet.getByLabel(importTexts.inResume).first().check()
  expect(await foreignChoices(owner)).toEqual([])
})

test('nothing is combined before she says so, and the sides she chose are there when she looks again', async ({
  owner,
  site,
}) => {
  await empty(site)
  const body = { name: 'Taller', description: 'Mía.', duration: 'Un rato', info: 'Privado' }
  await site.call('POST', 'experience/create', { body })
  await open(owner)
  await giveFile(owner, 'resume.json', JSON.stringify(otherWords))
  const row = rowOf(owner, 'Taller')
  const there = (sheet: Locator) => sheet.getByLabel(importTexts.inResume).first()
  const close = (sheet: Locator) => sheet.getByRole('button', { name: texts.close }).click()
  const waysOut: readonly ((sheet: Locator) => Promise<void>)[] = [
    (sheet) => sheet.getByRole('button', { name: importTexts.cancel }).click(),
    close,
    () => owner.keyboard.press('Escape'),
  ]
  for (const leave of waysOut) {
    const sheet = await compare(row)
    await expect(sheet).toHaveAccessibleName(fill(importTexts.combineTitle, { name: 'Taller' }))
    await expect(sheet).toContainText(importTexts.restStays)
    await expect(there(sheet)).not.toBeChecked()
    await there(sheet).check()
    await leave(sheet)
    await expect(sheet).toHaveCount(0)
    await expect(row.getByRole('button')).toBeFocused()
    await expect(importBar(owner)).not.toContainText(
      importTexts.countCombinedOne.replace('{n}', '1'),
    )
  }
  await row.getByLabel(importTexts.leave).check()
  const sheet = await compare(row)
  await there(sheet).check()
  await combine(sheet).click()
  await expect(row.getByLabel(importTexts.combine)).toBeChecked()
  await expect(importBar(owner)).toContainText(importTexts.countCombinedOne.replace('{n}', '1'))
  await expect(there(await compare(row))).toBeChecked()
})

test('what was combined, the profile and the settings are undone with the rest', async ({
  owner,
  site,
}) => {
  await empty(site)
  const body = { name: 'Taller', description: 'Mía.', duration: 'Un rato', info: 'Privado' }
  await site.call('POST', 'experience/create', { body })
  const before = await sayingsOf(site)
  await open(owner)
  await takeItsWord(owner)
  expect(await wordsOf(site)).toEqual(itsWords)
  await owner.getByRole('button', { name: importTexts.undo }).click()
  await expect(owner.getByText(importTexts.undone)).toBeVisible()
  await expect(owner.getByText(importTexts.allSent)).toBeVisible()
  expect(await sayingsOf(site)).toEqual(before)
})

test('undone later and without a connection, what was changed since stays as it was changed', async ({
  owner,
  site,
  context,
}) => {
  await empty(site)
  const body = { name: 'Taller', description: 'Mía.', duration: 'Un rato', info: 'Privado' }
  const { id = '' } = (await site.call('POST', 'experience/create', { body })).json as {
    readonly id?: string
  }
  const before = await wordsOf(site)
  await open(owner)
  await takeItsWord(owner)
  expect(await wordsOf(site)).toEqual(itsWords)
  const later = { title: 'Editora', place: 'Lima', description: 'De después.' }
  await site.call('PUT', 'person/update/1', { body: { title: later.title } })
  await site.call('PUT', 'config', { body: { location_text: later.place } })
  await site.call('PUT', `experience/update/${id}`, { body: { description: later.description } })
  // The last that her tools ask for as a page starts, which a busy machine does late.
  const isStarted = owner.waitForResponse((answer) =>
    answer.url().endsWith(ownerCalls.backupStatus),
  )
  await owner.reload()
  await isStarted
  const undo = owner.getByRole('button', { name: importTexts.undo })
  await expect(undo).toBeVisible()
  await context.setOffline(true)
  await undo.click()
  await expect(owner.getByText(importTexts.undoneInPart)).toBeVisible()
  await expect(owner.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(owner.getByText(importTexts.waitingOffline)).toBeVisible()
  expect(await wordsOf(site)).toEqual({ ...itsWords, ...later })
  await context.setOffline(false)
  await expect(owner.getByText(importTexts.allSent)).toBeVisible()
  expect(await wordsOf(site)).toEqual({ ...before, ...later })
})

const forty = JSON.stringify({
  work: Array.from({ length: 40 }, (_, i) => ({ name: `Casa ${i}` })),
  projects: [{ name: 'Mapa de bibliotecas populares de la región' }],
})

for (const afterMs of [0, 30, 250])
  test(`what a file brings in is whole on a page that is loaded anew ${afterMs} ms after the press`, async ({
    owner,
    site,
  }) => {
    await empty(site)
    await open(owner)
    await giveFile(owner, 'resume.json', forty)
    await applyButton(owner).click()
    await owner.waitForTimeout(afterMs)
    await owner.reload()
    await expect(fileChooser(owner)).toBeEnabled()
    await expect(owner.getByText(/^Traído.*41 cambios/)).toBeVisible()
    await expect
      .poll(async () => (await listOf(site, experience.key)).length, { timeout: 30_000 })
      .toBe(40)
    await owner.goto(project.addPath)
    await expect(owner.getByLabel('Nombre del proyecto:')).toHaveValue(/^Mapa de bibliotecas/)
  })

const undo = (page: Page) => page.getByRole('button', { name: importTexts.undo })
const nameField = (page: Page) => page.getByLabel(experience.fields.name.label)

async function idOf(site: Site, name: string): Promise<string> {
  const made = (await listOf(site, experience.key)).find((entry) => entry['name'] === name)
  return made?.['id'] ?? ''
}

/** Brings in posts of these names and has them published. */
async function bring(page: Page, ...names: readonly string[]): Promise<void> {
  await open(page)
  await giveFile(page, 'resume.json', JSON.stringify({ work: names.map((name) => ({ name })) }))
  await applyButton(page).click()
  await expect(page.getByText(importTexts.allSent)).toBeVisible()
}

test('an entry that she has changed since it was brought in, or is changing, stays when the rest is undone', async ({
  owner,
  site,
}) => {
  await empty(site)
  await bring(owner, 'Uno', 'Dos', 'Tres')
  const body = { description: 'Mía.' }
  await site.call('PUT', `experience/update/${await idOf(site, 'Uno')}`, { body })
  await owner.goto(experience.editPath.replace('$id', await idOf(site, 'Dos')))
  await expect(nameField(owner)).toHaveValue('Dos')
  await nameField(owner).fill('Dos y medio')
  await open(owner)
  await undo(owner).click()
  await expect(owner.getByText(importTexts.undoneInPart)).toBeVisible()
  await expect(owner.getByText(importTexts.allSent)).toBeVisible()
  expect((await listOf(site, experience.key)).map(({ name }) => name)).toEqual(['Dos', 'Uno'])
  await owner.goto(experience.editPath.replace('$id', await idOf(site, 'Dos')))
  await expect(nameField(owner)).toHaveValue('Dos y medio')
})

for (const [what, isPublished] of [
  ['published', true],
  ['left unsent', false],
] as const)
  test(`what was too long and was shortened since, ${what}, stays when the import is undone`, async ({
    owner,
    site,
  }) => {
    await empty(site)
    await open(owner)
    await giveFile(owner, 'copia.zip', linkedInZip())
    await applyButton(owner).click()
    await owner.getByRole('link', { name: importTexts.shorten }).click()
    const name = owner.getByLabel(project.fields.name.label)
    await name.fill('Mapa corto')
    await owner.getByLabel(project.fields.description.label).fill('De la costa.')
    if (isPublished) {
      for (const { label } of [project.fields.repo, project.fields.demo])
        await owner.getByLabel(label).fill('https://example.com/mapa')
      await owner.getByRole('button', { name: ownerTexts.confirm }).click()
      await expect.poll(() => listOf(site, project.key)).toHaveLength(2)
    }
    await open(owner)
    await undo(owner).click()
    await expect(owner.getByText(importTexts.undoneInPart)).toBeVisible()
    await expect(owner.getByText(importTexts.allSent)).toBeVisible()
    const names = (await listOf(site, project.key)).map((entry) => entry['name'])
    expect(names).toEqual(isPublished ? ['Mapa corto'] : [])
    if (isPublished) return
    await owner.goto(project.addPath)
    await expect(name).toHaveValue('Mapa corto')
  })

/** Holds back what only she sees; resolves to what lets it through. */
async function holdHidden(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/hidden', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test('what is hidden by now is undone with the rest, however early', async ({ owner, site }) => {
  await empty(site)
  await bring(owner, 'Uno')
  const body = { hidden: 'true' }
  await site.call('PUT', `experience/update/${await idOf(site, 'Uno')}`, { body })
  const letThrough = await holdHidden(owner)
  await owner.goto('/traer')
  setTimeout(letThrough, 1_500)
  await undo(owner).click()
  await expect(owner.getByText(importTexts.undone)).toBeVisible()
  await expect(owner.getByText(importTexts.allSent)).toBeVisible()
  expect((await site.call('GET', 'hidden')).json).toEqual([])
})

test('what is hidden is known as what the site has, however early the file comes', async ({
  owner,
  site,
}) => {
  await empty(site)
  await site.call('POST', 'skill/create', { body: { name: 'Zig', hidden: 'true' } })
  const letThrough = await holdHidden(owner)
  await owner.goto('/traer')
  setTimeout(letThrough, 1_500)
  await expect(fileChooser(owner)).toBeEnabled()
  await giveFile(owner, 'resume.json', JSON.stringify({ skills: [{ name: 'Zig' }] }))
  await expect(rowOf(owner, 'Zig')).toContainText(importTexts.isThere)
})

test('what was undone before it was sent is neither waiting nor published', async ({
  owner,
  site,
  context,
}) => {
  await empty(site)
  const body = { name: 'Taller', description: 'Mía.', duration: 'Un rato', info: 'Privado' }
  await site.call('POST', 'experience/create', { body })
  await open(owner)
  await expect(logOutButton(owner)).toBeVisible()
  await context.setOffline(true)
  await giveFile(owner, 'resume.json', JSON.stringify({ work: [{ name: 'Uno' }, { name: 'Dos' }] }))
  await applyButton(owner).click()
  await expect(owner.getByText(importTexts.waitingOffline)).toBeVisible()
  await undo(owner).click()
  await expect(owner.getByText(importTexts.undone)).toBeVisible()
  await expect(owner.getByText(importTexts.allSent)).toBeHidden()
  await owner.getByRole('button', { name: importTexts.another }).click()
  const [taller = {}] = otherWords.work
  const work = [{ name: 'Uno' }, { name: 'Dos' }, taller]
  await giveFile(owner, 'resume.json', JSON.stringify({ work }))
  await takeAllOf(rowOf(owner, 'Taller'))
  await applyButton(owner).click()
  await expect(owner.getByText(importTexts.waitingOffline)).toBeVisible()
  await undo(owner).click()
  await expect(owner.getByText(importTexts.undone)).toBeVisible()
  const { promise, resolve } = Promise.withResolvers<void>()
  await owner.route('**/api/experience/update/*', async (route) => {
    await promise
    await route.continue()
  })
  await context.setOffline(false)
  await expect(owner.getByText(fill(importTexts.sending, { done: 0, n: 1 }))).toBeVisible()
  resolve()
  await expect(owner.getByText(importTexts.allSent)).toBeVisible()
})

test('what cannot be read is said, and nothing changes @main', async ({ owner, site }) => {
  const before = await sayingsOf(site)
  await open(owner)
  await giveFile(owner, 'fotos-vacaciones.zip', linkedInZip({ 'a.txt': 'x' }))
  const alert = owner.getByRole('alert')
  await expect(alert).toContainText(fill(importTexts.notLinkedIn, { name: 'fotos-vacaciones.zip' }))
  await giveFile(owner, 'cv.json', '{"basics": {')
  await expect(alert).toContainText(fill(importTexts.cutOff, { name: 'cv.json' }))
  await giveFile(
    owner,
    'copia.zip',
    linkedInZip({ ...linkedInTables, 'Skills.csv': 'Name\n"sin fin\n' }),
  )
  await expect(alert).toContainText(fill(importTexts.damagedOne, { n: 10 }))
  await owner.getByRole('button', { name: importTexts.goOn }).click()
  await expect(importBar(owner)).toBeVisible()
  await importBar(owner).getByRole('button', { name: importTexts.cancel }).click()
  await expect(fileChooser(owner)).toBeEnabled()
  expect(await sayingsOf(site)).toEqual(before)
})

test('one proposal beside several damaged tables is said as one, and what has no place by its name', async ({
  owner,
  site,
}) => {
  await open(owner)
  const profile = 'First Name,Last Name\nLucía,Otra\n'
  const broken = { 'Skills.csv': 'Name\n"sin fin\n', 'Languages.csv': 'Name\n"sin fin\n' }
  await giveFile(owner, 'copia.zip', linkedInZip({ 'Profile.csv': profile, ...broken }))
  await expect(owner.getByRole('alert')).toContainText('están dañados. Lo demás sí: 1 propuesta.')
  await owner.getByRole('button', { name: importTexts.cancel }).click()
  await expect(fileChooser(owner)).toBeEnabled()
  await giveFile(owner, 'cv.json', '{"volunteer": [{}], "constructor": [1], "toString": "x"}')
  const { volunteer, others } = importTexts.names
  const aside = fill(importTexts.keptAside, { names: `${volunteer}, ${others}` })
  await expect(owner.getByText(aside)).toBeVisible()
  await importBar(owner).getByRole('button', { name: importTexts.applyKept }).click()
  const said = owner.getByRole('status').filter({ hasText: importTexts.keptAlone })
  await expect(said).toContainText(importTexts.keptSent)
  await open(owner)
  await expect(owner.getByText(/cv\.json: lo que no tiene lugar en el sitio\.$/)).toBeVisible()
  await undo(owner).click()
  await expect
    .poll(async () => (await site.call('GET', resumeCalls.resume)).json)
    .not.toHaveProperty('volunteer')
  const status = owner.getByRole('status').filter({ hasText: importTexts.undone })
  await expect(status).toHaveText(importTexts.undone)
})

test('a picture that is written into the file does not keep the rest of it out, and she is told', async ({
  owner,
  site,
}) => {
  await empty(site)
  const image = `data:image/jpeg;base64,${'A'.repeat(300_000)}`
  await open(owner)
  await giveFile(owner, 'cv.json', JSON.stringify({ basics: { image } }))
  await expect(owner.getByRole('alert')).toContainText(importTexts.pictureLeft)
  const basics = { label: 'Ilustradora', image }
  await giveFile(owner, 'cv.json', JSON.stringify({ basics, work: [{ name: 'Uno' }] }))
  await expect(owner.getByText(importTexts.pictureLeft)).toBeVisible()
  await applyButton(owner).click()
  await expect(owner.getByText(importTexts.allSent)).toBeVisible()
  expect((await listOf(site, experience.key)).map(({ name }) => name)).toEqual(['Uno'])
})

test('a file that is let go beside its place is read, and one that comes while she decides changes nothing', async ({
  owner,
}, info) => {
  const [first, other] = [info.outputPath('resume.json'), info.outputPath('otro.json')]
  await writeFile(first, JSON.stringify({ work: [{ name: 'Uno' }] }))
  await writeFile(other, JSON.stringify({ work: [{ name: 'Dos' }] }))
  await open(owner)
  const heading = owner.getByRole('heading', { level: 1 })
  await dropAt(owner, heading, first)
  await expect(rowOf(owner, 'Uno')).toBeVisible()
  await rowOf(owner, 'Uno').getByLabel(importTexts.leave).check()
  await dropAt(owner, heading, other)
  await expect(rowOf(owner, 'Uno').getByLabel(importTexts.leave)).toBeChecked()
  await expect(rowOf(owner, 'Dos')).toHaveCount(0)
  await expect(owner).toHaveURL(/\/traer$/)
  expect(owner.context().pages()).toHaveLength(1)
  await importBar(owner).getByRole('button', { name: importTexts.cancel }).click()
  await dropAt(owner, fileChooser(owner), other)
  await expect(rowOf(owner, 'Dos')).toBeVisible()
})

test('of several files at once none is read, and she is told why', async ({ owner }, info) => {
  const files = ['resume.json', 'otro.json'].map((name) => info.outputPath(name))
  for (const file of files) await writeFile(file, JSON.stringify({ work: [{ name: 'Uno' }] }))
  for (const place of [fileChooser(owner), owner.getByRole('heading', { level: 1 })]) {
    await open(owner)
    await dropAt(owner, place, ...files)
    const alert = owner.getByRole('alert')
    await expect(alert).toContainText(importTexts.several)
    await expect(alert).toContainText(fill(importTexts.severalHint, { n: 2 }))
    await expect(fileChooser(owner)).toBeEnabled()
  }
})

test('who is not signed in is asked to', async ({ visitor }) => {
  await visitor.goto('/traer')
  await expect(visitor).toHaveURL(/\/login$/)
})

test('what is too long waits in its form with a red counter', async ({ owner }) => {
  await open(owner)
  await giveFile(owner, 'copia.zip', linkedInZip())
  await applyButton(owner).click()
  await owner.getByRole('link', { name: importTexts.shorten }).click()
  await expect(owner.getByLabel('Nombre del proyecto:')).toHaveValue(
    'Mapa de bibliotecas populares de la región',
  )
  await expect(owner.locator('.count.over')).toHaveText(['42/20', '131/90'])
})

test('of a long file no more is laid out than can be seen, and each row can be reached', async ({
  owner,
}) => {
  await open(owner)
  const skills = Array.from({ length: 400 }, (_, i) => ({ name: `Destreza ${i}` }))
  await giveFile(owner, 'resume.json', JSON.stringify({ skills }))
  const last = rowOf(owner, 'Destreza 399').getByLabel(importTexts.leave)
  const isLaidOut = () =>
    last.evaluate((input) => input.checkVisibility({ contentVisibilityAuto: true }))
  await expect(importBar(owner)).toContainText(fill(importTexts.countNew, { n: 400 }))
  expect(await isLaidOut()).toBe(false)
  await last.check()
  expect(await isLaidOut()).toBe(true)
  await expect(importBar(owner)).toContainText(fill(importTexts.countLeftOne, { n: 1 }))
})

test('a choice draws the row that it is about again, and no other', async ({ owner }) => {
  // React writes whether a box is checked whenever it draws the box.
  await owner.addInitScript(() => {
    const { prototype } = HTMLInputElement
    const checked = Object.getOwnPropertyDescriptor(prototype, 'checked')
    const drawn = new Set<Element>()
    Object.defineProperty(prototype, 'checked', {
      ...checked,
      set(this: HTMLInputElement, value: boolean) {
        drawn.add(this)
        checked?.set?.call(this, value)
      },
    })
    Object.assign(globalThis, { drawn })
  })
  const drawn = () =>
    owner.evaluate(() => {
      const { drawn: inputs } = globalThis as unknown as { readonly drawn: Set<Element> }
      const rows = new Set([...inputs].map((input) => input.closest('li')))
      inputs.clear()
      return rows.size
    })
  await open(owner)
  const skills = Array.from({ length: 40 }, (_, i) => ({ name: `Destreza ${i}` }))
  await giveFile(owner, 'resume.json', JSON.stringify({ skills }))
  await expect(rowOf(owner, 'Destreza 39')).toBeVisible()
  expect(await drawn()).toBeGreaterThan(39)
  await rowOf(owner, 'Destreza 3').getByLabel(importTexts.leave).check()
  await expect(importBar(owner)).toContainText(fill(importTexts.countLeftOne, { n: 1 }))
  expect(await drawn()).toBe(1)
})

test('what she decided about a file outlives the page, in this tab alone, until she gives it up', async ({
  owner,
  site,
}) => {
  await empty(site)
  const body = { name: 'Taller', description: 'Mía.', duration: 'Un rato', info: 'Privado' }
  await site.call('POST', 'experience/create', { body })
  await open(owner)
  const work = [...otherWords.work, { name: 'Uno' }, { name: 'Dos' }]
  await giveFile(owner, 'resume.json', JSON.stringify({ ...otherWords, work }))
  const sheet = await compare(rowOf(owner, 'Taller'))
  await sheet.getByLabel(importTexts.inResume).first().check()
  await combine(sheet).click()
  await rowOf(owner, 'Uno').getByLabel(importTexts.leave).check()
  await owner.reload()
  await expect(rowOf(owner, 'Uno').getByLabel(importTexts.leave)).toBeChecked()
  await expect(rowOf(owner, 'Dos').getByLabel(importTexts.add)).toBeChecked()
  await expect(owner.getByText(fill(importTexts.planBack, { name: 'resume.json' }))).toBeVisible()
  const again = await compare(rowOf(owner, 'Taller'))
  await expect(again.getByLabel(importTexts.inResume).first()).toBeChecked()
  await again.getByRole('button', { name: importTexts.cancel }).click()
  await rowOf(owner, 'Dos').getByLabel(importTexts.leave).check()
  const other = await owner.context().newPage()
  await other.goto('/api/health')
  await takeSession(other, await site.signIn())
  await open(other)
  await expect(rowOf(other, 'Uno')).toHaveCount(0)
  await other.close()
  await owner.goto('/settings#datos')
  await owner.goto('/traer')
  await expect(rowOf(owner, 'Dos').getByLabel(importTexts.leave)).toBeChecked()
  await applyButton(owner).click()
  await expect(owner.getByText(importTexts.allSent)).toBeVisible()
  expect((await listOf(site, experience.key)).map(({ name }) => name)).toEqual(['Taller'])
  await open(owner)
  await expect(rowOf(owner, 'Uno')).toHaveCount(0)
  await giveFile(owner, 'otro.json', JSON.stringify({ work: [{ name: 'Tres' }] }))
  await rowOf(owner, 'Tres').getByLabel(importTexts.leave).check()
  await owner.reload()
  await importBar(owner).getByRole('button', { name: importTexts.cancel }).click()
  await open(owner)
  await expect(rowOf(owner, 'Tres')).toHaveCount(0)
})

test('LogOut asks before it forgets what she decided about a file', async ({ owner }) => {
  await open(owner)
  await giveFile(owner, 'resume.json', JSON.stringify({ work: [{ name: 'Uno' }] }))
  await rowOf(owner, 'Uno').getByLabel(importTexts.leave).check()
  await expect.poll(() => databaseText(owner, 'tintero-drafts')).toContain('experience-0-0')
  await logOutButton(owner).click()
  const question = owner.getByRole('dialog').or(owner.getByRole('alertdialog'))
  await expect(question).toContainText(ownerTexts.draftsOnLogout)
})

test('she is told before it is lost where the device does not keep what she decides', async ({
  owner,
  watch,
}) => {
  watch.expect(/A draft could not be kept|QuotaExceededError/)
  await owner.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('No room', 'QuotaExceededError')
    }
  })
  await open(owner)
  await giveFile(owner, 'resume.json', JSON.stringify({ work: [{ name: 'Uno' }] }))
  await expect(owner.getByRole('alert')).toContainText(importTexts.planNotKept)
})

test('all counts of one import say the same: what shows, each thing once, and what waits in a form', async ({
  owner,
  site,
}) => {
  await empty(site)
  await open(owner)
  const volunteer = [{ organization: 'Tres' }]
  const projects = [{ name: 'Mapa de bibliotecas populares de la región' }]
  await giveFile(owner, 'resume.json', JSON.stringify({ ...otherWords, projects, volunteer }))
  await takeAllOf(rowOf(owner, importTexts.profile))
  await expect(importBar(owner)).toContainText(fill(importTexts.changes, { n: 3 }))
  const { promise, resolve } = Promise.withResolvers<void>()
  await owner.route('**/api/**', async (route) => {
    if (route.request().method() !== 'GET') await promise
    await route.continue()
  })
  await applyButton(owner).click()
  const status = owner.getByRole('status').filter({ hasText: fill(importTexts.applied, { n: 3 }) })
  // The profile's texts, two settings and what has no place are changes of their own in the queue.
  await expect(status).toContainText(fill(importTexts.sending, { done: 0, n: 2 }))
  await expect(status).toContainText(importTexts.draftsLeftOne.replace('{n}', '1'))
  resolve()
  await expect(status).toContainText(importTexts.allSent)
  await expect(status).toContainText(importTexts.draftsLeftOne.replace('{n}', '1'))
  await owner.getByRole('button', { name: importTexts.undo }).click()
  await expect(owner.getByText(importTexts.undone)).toBeVisible()
  await expect(owner.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(owner.getByText(importTexts.allSent)).toBeVisible()
})

test('what waits as a draft already is recognized when its file is brought in again', async ({
  owner,
}) => {
  await open(owner)
  const name = 'Mapa de bibliotecas populares de la región'
  const file = JSON.stringify({ projects: [{ name }] })
  await giveFile(owner, 'resume.json', file)
  await expect(rowOf(owner, name)).toContainText(importTexts.tooLong)
  await applyButton(owner).click()
  await owner.getByRole('button', { name: importTexts.another }).click()
  await giveFile(owner, 'resume.json', file)
  await expect(rowOf(owner, name)).toContainText(importTexts.isWaiting)
  await expect(rowOf(owner, name).getByLabel(importTexts.leave)).toBeChecked()
  await expect(importBar(owner)).toContainText(importTexts.noChanges)
  await expect(applyButton(owner)).toBeDisabled()
})

test('what the server refuses stays in the queue, and nobody says that it is published', async ({
  owner,
  site,
  watch,
}) => {
  watch.expect(/422|A change was not taken/)
  await empty(site)
  await open(owner)
  await owner.route('**/api/experience/create', (route) => refuse(route, 'datos-no-validos'))
  await giveFile(
    owner,
    'resume.json',
    JSON.stringify({ work: [{ name: 'Uno' }], skills: [{ name: 'Zig' }] }),
  )
  await applyButton(owner).click()
  await expect(owner.getByText(importTexts.stoppedOne)).toBeVisible()
  await expect(owner.getByText(importTexts.notAllApplied)).toBeVisible()
  await expect(owner.getByText(fill(importTexts.applied, { n: 2 }))).toBeHidden()
  await expect(owner.getByText(importTexts.allSent)).toBeHidden()
})

test('nobody says that the site is as it was while the server refuses what would make it so', async ({
  owner,
  site,
  watch,
}) => {
  watch.expect(/422|A change was not taken/)
  await empty(site)
  await open(owner)
  await giveFile(owner, 'resume.json', JSON.stringify({ work: [{ name: 'Uno' }] }))
  await applyButton(owner).click()
  await expect(owner.getByText(importTexts.allSent)).toBeVisible()
  await owner.route('**/api/experience/delete/*', (route) => refuse(route, 'datos-no-validos'))
  await open(owner)
  await owner.getByRole('button', { name: importTexts.undo }).click()
  await expect(owner.getByText(importTexts.stoppedOne)).toBeVisible()
  await expect(owner.getByText(importTexts.notAllUndone)).toBeVisible()
  await expect(owner.getByText(importTexts.undone)).toBeHidden()
})

for (const when of ['just now', 'earlier'])
  test(`an import of ${when} is not said to be undone where the device keeps no change, and can be later`, async ({
    owner,
    site,
    watch,
  }) => {
    watch.expect(/An import could not be undone|QuotaExceededError/)
    await empty(site)
    await open(owner)
    await giveFile(owner, 'resume.json', JSON.stringify({ work: [{ name: 'Uno' }] }))
    await applyButton(owner).click()
    await expect(owner.getByText(importTexts.allSent)).toBeVisible()
    if (when === 'earlier') await open(owner)
    await owner.evaluate(() => {
      const { put } = IDBObjectStore.prototype
      const { dataset } = document.documentElement
      dataset['full'] = ''
      IDBObjectStore.prototype.put = function write(...what) {
        if ('full' in dataset) throw new DOMException('No room', 'QuotaExceededError')
        return put.apply(this, what)
      }
    })
    await undo(owner).click()
    await expect(owner.getByRole('alert')).toContainText(importTexts.notKept)
    await expect(owner.getByText(importTexts.undone)).toBeHidden()
    expect((await listOf(site, experience.key)).map(({ name }) => name)).toEqual(['Uno'])
    await owner.evaluate(() => delete document.documentElement.dataset['full'])
    await undo(owner).click()
    await expect(owner.getByText(importTexts.undone)).toBeVisible()
    await expect(owner.getByRole('alert')).toHaveCount(0)
    await expect.poll(() => listOf(site, experience.key)).toEqual([])
  })

test('where not all can be kept nothing is, and she is told', async ({ owner, site, watch }) => {
  watch.expect(/An import could not be kept/)
  const before = await sayingsOf(site)
  await open(owner)
  const projects = Array.from({ length: 60 }, (_, i) => ({ name: `${i} ${'largo '.repeat(9)}` }))
  await giveFile(owner, 'resume.json', JSON.stringify({ projects, work: [{ name: 'Uno' }] }))
  await applyButton(owner).click()
  await expect(owner.getByRole('alert')).toContainText(importTexts.notKept)
  await expect(applyButton(owner)).toBeEnabled()
  expect(await sayingsOf(site)).toEqual(before)
  await owner.goto(project.addPath)
  await expect(owner.getByLabel('Nombre del proyecto:')).toHaveValue('')
})

for (const width of lookWidths) {
  test(`every state is readable by everybody in both themes, ${width} wide`, async ({ owner }) => {
    const fits = async () => expect(await sidewaysOf(owner)).toBe(0)
    const isGood = async () => expect(await faultsInBothThemes(owner, width, fits)).toEqual([])
    await open(owner)
    await isGood()
    await giveFile(owner, 'nada.zip', linkedInZip({ 'a.txt': 'x' }))
    await expect(owner.getByRole('alert')).toBeVisible()
    await isGood()
    await giveFile(
      owner,
      'copia.zip',
      linkedInZip({ ...linkedInTables, 'Skills.csv': 'Name\n"sin fin\n' }),
    )
    await expect(owner.getByRole('alert')).toContainText('1 de 10')
    await isGood()
    await owner.getByRole('button', { name: importTexts.goOn }).click()
    await isGood()
    const sheet = await compare(rowOf(owner, importTexts.profile))
    await isGood()
    await sheet.getByRole('button', { name: importTexts.cancel }).click()
    await applyButton(owner).click()
    await expect(owner.getByText(importTexts.allSent)).toBeVisible()
    await isGood()
  })
}
