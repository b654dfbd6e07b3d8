import type { Page } from 'playwright/test'
import { loginFields, loginTexts } from '#contract/access/login.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { project } from '#contract/sections/project.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { texts } from '#contract/texts/site.ts'
import { expect, logOutButton, takeSession } from '#tests/support/browser.ts'
import { databaseText, test, visit, type Device } from '#tests/support/device.ts'
import { createEntry, formValues, itemOf, pencilOf, snackbar } from '#tests/support/entries.ts'
import { logInByForm } from '#tests/support/login-form.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import {
  changeElsewhere,
  emptySections,
  openQueueSheet,
  ownerTab,
  storedRows,
} from '#tests/support/queue.ts'
import { owner, type Site } from '#tests/support/site.ts'

test.use({ writes: true })

type Session = Awaited<ReturnType<Site['signIn']>>

type Interruption = 'reload' | 'away and back' | 'another tab' | 'crash' | 'session lost'

interface Point {
  readonly type?: readonly [field: keyof typeof project.fields, text: string]
  readonly choose?: true
  readonly meets: Interruption
}

/** Ten places of one form at which something comes between. */
const points: readonly Point[] = [
  { type: ['name', 'Br'], meets: 'reload' },
  { type: ['name', 'Brújula'], meets: 'away and back' },
  { type: ['description', 'Mapas sin'], meets: 'crash' },
  { type: ['description', 'Mapas sin conexión\nde bolsillo'], meets: 'reload' },
  { type: ['duration', 'Mayo 2031'], meets: 'session lost' },
  { choose: true, meets: 'reload' },
  { type: ['repo', 'https://example.com/brujula'], meets: 'crash' },
  { type: ['demo', 'https://example.com/d'], meets: 'another tab' },
  { type: ['demo', 'https://example.com/demo'], meets: 'away and back' },
  { type: ['name', 'Brújula 2'], meets: 'reload' },
]

const fieldOf = (page: Page, name: keyof typeof project.fields) =>
  page.getByRole('textbox', { name: project.fields[name].label })

const previewOf = (page: Page) => page.getByRole('img', { name: ownerTexts.imagePreview })

/** Opens the form; the page before it only takes the session, and nothing of it is waited for. */
async function openForm(page: Page, session: Session): Promise<void> {
  await page.goto('/', { waitUntil: 'commit' })
  await takeSession(page, session)
  await visit(page, project.addPath)
}

/** A tab with the form of a site without entries, whose text the device has kept. */
async function formWithDraft(device: Device, site: Site): Promise<Page> {
  await emptySections(site)
  const page = await device.tab()
  await openForm(page, await site.signIn())
  await fieldOf(page, 'name').fill('Brújula')
  await fieldOf(page, 'description').fill('Mapas sin conexión')
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
  return page
}

/** What comes between typing and saving; resolves to the page that has the form afterwards. */
async function interrupt(
  page: Page,
  how: Interruption,
  { device, session }: Places,
): Promise<Page> {
  if (how === 'reload') await page.reload()
  if (how === 'away and back') {
    await page.goto('/skills')
    await page.goBack()
  }
  if (how === 'another tab') await page.close()
  if (how === 'crash') await device.restart()
  if (how === 'session lost') await page.evaluate(() => sessionStorage.clear())
  const isElsewhere = how === 'crash' || how === 'another tab'
  const next = isElsewhere ? await device.tab() : page
  if (isElsewhere || how === 'session lost') await openForm(next, session)
  return next
}

interface Places {
  readonly device: Device
  readonly session: Session
}

test('what is typed and chosen is there again at every one of ten interruptions, and gone once saved', async ({
  lasting: device,
  site,
}) => {
  await emptySections(site)
  const typed: Partial<Record<keyof typeof project.fields, string>> = {}
  let hasPicture = false
  let page = await device.tab()
  const session = await site.signIn()
  await openForm(page, session)
  for (const { type, choose, meets } of points) {
    if (type) {
      const [field, text] = type
      typed[field] = text
      await fieldOf(page, field).fill(text)
    }
    if (choose) {
      hasPicture = true
      await page.getByLabel(project.fields.image.label).setInputFiles(await colourSquare('#0a7'))
      // It is chosen once it is shown; until then it is being looked at.
      await expect(previewOf(page)).toHaveAttribute('src', /^blob:/)
    }
    page = await interrupt(page, meets, { device, session })
    await expect(page.getByText(texts.draftBack)).toBeVisible()
    for (const [field, text] of Object.entries(typed)) {
      await expect(fieldOf(page, field as keyof typeof project.fields)).toHaveValue(text)
    }
    if (hasPicture) await expect(previewOf(page)).toHaveAttribute('src', /^blob:/)
  }
  await page.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect.poll(() => storedRows(site)).toMatchObject([{ ...typed }])
  expect((await storedRows(site))[0]?.['image']).toMatch(/^\/media\//)
  await visit(page, project.path)
  await expect(itemOf(page, 'Brújula 2')).toBeVisible()
  await visit(page, project.addPath)
  await expect(fieldOf(page, 'name')).toHaveValue('')
  await expect(page.getByText(texts.draftBack)).toHaveCount(0)
  await noDraftLeft(page)
})

test('a sent draft goes from the device although its page ended before it heard of the answer', async ({
  lasting: device,
  site,
}) => {
  await emptySections(site)
  let page = await device.tab()
  await openForm(page, await site.signIn())
  for (const { type } of points) if (type) await fieldOf(page, type[0]).fill(type[1])
  await page.getByLabel(project.fields.image.label).setInputFiles(await colourSquare('#0a7'))
  await expect(previewOf(page)).toHaveAttribute('src', /^blob:/)
  // The server has the entry, and its answer never comes.
  const create = `**/api/${project.key}/create`
  await page.route(create, async (route) => void (await route.fetch()))
  await page.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect.poll(() => storedRows(site)).toHaveLength(1)
  expect(await databaseText(page, 'tintero-drafts')).toContain('Brújula 2')
  await device.restart()
  page = await ownerTab(device, { site })
  await noDraftLeft(page)
  expect(await storedRows(site)).toHaveLength(1)
})

/**
 * What was sent goes as soon as a page has heard that the server has it; the one that sent it may be gone. The numbers of what
 * was left behind by pages and taken over may stay.
 */
async function noDraftLeft(page: Page): Promise<void> {
  await expect
    .poll(() => databaseText(page, 'tintero-drafts'))
    .toMatch(/^(?:\[(?:\[[\d.,e-]*\])?\])?$/)
}

/** Lets a change reach the server, and its answer the page only once it is let go. */
async function holdAnswer(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    const response = await route.fetch()
    await promise
    await route.fulfill({ response })
  })
  return resolve
}

test('what is typed while an edit is being saved stays in its form, and is saved over it @main', async ({
  lasting: device,
  site,
}) => {
  await emptySections(site)
  await createEntry(site, project, formValues(project, 'Uno'))
  const page = await ownerTab(device, { site })
  const goOn = await holdAnswer(page, `**/api/${project.key}/update/*`)
  await pencilOf(page, project, 'Uno').click()
  await fieldOf(page, 'name').fill('Dos')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  const said = fieldOf(page, 'description')
  await said.fill('Escrito mientras')
  goOn()
  await expect(snackbar(page, 'success-snackbar', noticesOf(project).updated)).toBeVisible()
  await expect(fieldOf(page, 'name')).toHaveValue('Dos')
  await expect(said).toHaveValue('Escrito mientras')
  expect(await databaseText(page, 'tintero-drafts')).toContain('Escrito mientras')
  // Whoever takes back what was just saved has something to save.
  await fieldOf(page, 'name').fill('Uno')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(itemOf(page, 'Uno')).toBeVisible()
  await expect
    .poll(() => storedRows(site))
    .toMatchObject([{ name: 'Uno', description: 'Escrito mientras' }])
  await noDraftLeft(page)
})

test('what is typed before a conflict is shown is offered again, whichever version is chosen @main', async ({
  lasting: device,
  site,
  watch,
}) => {
  watch.expect(/412/, /change was not taken/)
  await emptySections(site)
  const id = await createEntry(site, project, formValues(project, 'Uno'))
  const page = await ownerTab(device, { site })
  await pencilOf(page, project, 'Uno').click()
  await fieldOf(page, 'name').fill('Dos')
  await changeElsewhere(site, id, { name: 'Tres' })
  const goOn = await holdAnswer(page, `**/api/${project.key}/update/*`)
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await fieldOf(page, 'description').fill('Escrito mientras')
  goOn()
  await page.getByRole('button', { name: ownerTexts.takeTheirs }).click()
  await expect(fieldOf(page, 'name')).toHaveValue('Tres')
  await page.getByRole('button', { name: ownerTexts.recoverDraft }).click()
  await expect(fieldOf(page, 'description')).toHaveValue('Escrito mientras')
})

test('what is typed while a new entry is being saved is in the form of the entry that there is now', async ({
  lasting: device,
  site,
}) => {
  await emptySections(site)
  const page = await device.tab()
  await openForm(page, await site.signIn())
  for (const { type } of points) if (type) await fieldOf(page, type[0]).fill(type[1])
  const goOn = await holdAnswer(page, `**/api/${project.key}/create`)
  await page.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect.poll(() => storedRows(site)).toHaveLength(1)
  await fieldOf(page, 'description').fill('Escrito mientras')
  goOn()
  await expect(snackbar(page, 'success-snackbar', noticesOf(project).created)).toBeVisible()
  await page.waitForURL(/editProj/)
  await expect(fieldOf(page, 'description')).toHaveValue('Escrito mientras')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect
    .poll(() => storedRows(site))
    .toMatchObject([{ name: 'Brújula 2', description: 'Escrito mientras' }])
  await noDraftLeft(page)
})

/** From now on the device takes nothing more of what is typed. */
const refuseDrafts = (page: Page) =>
  page.evaluate(() => {
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (...what) {
      if (this.transaction.db.name !== 'tintero-drafts') return put.apply(this, what)
      throw new DOMException('full', 'QuotaExceededError')
    }
  })

/** A new entry that is saved while more is typed, on a device that keeps none of that. */
async function typedOnFullDevice(device: Device, site: Site) {
  await emptySections(site)
  const page = await device.tab()
  await openForm(page, await site.signIn())
  for (const { type } of points) if (type) await fieldOf(page, type[0]).fill(type[1])
  const goOn = await holdAnswer(page, `**/api/${project.key}/create`)
  await page.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect.poll(() => storedRows(site)).toHaveLength(1)
  await refuseDrafts(page)
  await fieldOf(page, 'description').fill('Escrito mientras')
  await expect(page.getByText(ownerTexts.unsaved)).toBeVisible()
  return { page, goOn }
}

test('what is typed while a new entry is being saved is in its form, and not said to be kept, where the device keeps nothing', async ({
  lasting: device,
  site,
}) => {
  const { page, goOn } = await typedOnFullDevice(device, site)
  goOn()
  await page.waitForURL(/editProj/)
  await expect(fieldOf(page, 'description')).toHaveValue('Escrito mientras')
  await expect(page.getByText(ownerTexts.unsaved)).toBeVisible()
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect.poll(() => storedRows(site)).toMatchObject([{ description: 'Escrito mientras' }])
})

test('what was typed in a new entry’s form that was left is told to be on the page alone, and comes back to the entry', async ({
  lasting: device,
  site,
}) => {
  const { page, goOn } = await typedOnFullDevice(device, site)
  await page.getByRole('button', { name: ownerTexts.cancel }).click()
  await page.getByRole('dialog').getByRole('button', { name: ownerTexts.leave }).click()
  await page.waitForURL((address) => address.pathname === project.path)
  goOn()
  const notice = snackbar(page, 'error-snackbar', queueTexts.unkept)
  await notice.getByRole('button', { name: ownerTexts.recoverDraft }).click()
  await page.waitForURL(/editProj/)
  await expect(fieldOf(page, 'description')).toHaveValue('Escrito mientras')
  await expect(page.getByText(ownerTexts.unsaved)).toBeVisible()
})

test('while the server is slow to say whose the draft is, the form’s place says that it is being read', async ({
  lasting: device,
  site,
}) => {
  const page = await formWithDraft(device, site)

  // After three seconds without an answer she goes on with her work, so what stood there until then is noted by the page.
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/**', async (route) => {
    if (route.request().headers()['authorization']) await answered
    await route.continue()
  })
  await page.addInitScript((loading) => {
    const look = () => document.querySelector('main [role=status]:has(.spin)')?.textContent
    const note = () => look() === loading && document.documentElement.setAttribute('said', '')
    new MutationObserver(note).observe(document, { childList: true, subtree: true })
  }, texts.loading)
  await page.goto(project.addPath)
  await expect(page.locator('html')).toHaveAttribute('said', '')
  answer()
  await expect(fieldOf(page, 'name')).toHaveValue('Brújula')
  await expect(page.getByRole('main').getByText(texts.loading)).toHaveCount(0)
})

/** Everything that the page shows or has in its fields. */
const shownOn = (page: Page) =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')]
    return [document.body.textContent, ...fields.map(({ value }) => value)].join('\n')
  })

test('a draft outlives a session that was ended elsewhere, and nobody sees it before she signs in again', async ({
  lasting: device,
  site,
}) => {
  const page = await formWithDraft(device, site)
  expect((await site.call('POST', ownerCalls.logoutOthers)).status).toBe(204)

  // Her tab, which somebody else may have found open.
  await page.goto('/')
  await page.goto(project.addPath)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  expect(await shownOn(page)).not.toMatch(/Brújula|Mapas/)
  await dialog.getByRole('button', { name: ownerTexts.cancel }).click()
  const signInAgain = page.getByRole('main').getByRole('button', { name: loginTexts.submit })
  await expect(signInAgain).toBeVisible()
  expect(await shownOn(page)).not.toMatch(/Brújula|Mapas/)

  // Any other tab of the device, then and after a new start.
  const other = await device.context.newPage()
  for (const path of [project.addPath, project.path, '/']) {
    await visit(other, path)
    expect(await shownOn(other)).not.toMatch(/Brújula|Mapas/)
  }

  await signInAgain.click()
  await dialog.getByLabel(loginFields.password.label, { exact: true }).fill(owner.password)
  await dialog.getByRole('button', { name: loginTexts.submit }).click()
  await expect(fieldOf(page, 'name')).toHaveValue('Brújula')
  await device.restart()
  const next = await device.tab()
  await visit(next, project.addPath)
  await expect(next).toHaveURL(`${site.url}/login`)
  expect(await shownOn(next)).not.toMatch(/Brújula|Mapas/)

  await logInByForm(next)
  await expect(logOutButton(next)).toBeVisible()
  await visit(next, project.addPath)
  await expect(fieldOf(next, 'name')).toHaveValue('Brújula')
  await expect(fieldOf(next, 'description')).toHaveValue('Mapas sin conexión')
})

test('a picture that is still being read is asked about before its form is left, and kept once it is read', async ({
  device,
  site,
}) => {
  await emptySections(site)
  const page = await device.tab()
  await openForm(page, await site.signIn())
  await page.evaluate(() => {
    const { decode } = HTMLImageElement.prototype
    const isRead = new Promise((read) => addEventListener('read', read))
    HTMLImageElement.prototype.decode = function () {
      return isRead.then(() => decode.call(this))
    }
  })
  await page.getByLabel(project.fields.image.label).setInputFiles(await colourSquare('#0a7'))
  await page.getByRole('button', { name: ownerTexts.cancel }).click()
  const question = page.getByRole('dialog', { name: ownerTexts.leaveTitle })
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: ownerTexts.keepEditing }).click()
  await page.evaluate(() => dispatchEvent(new Event('read')))
  await expect(previewOf(page)).toHaveAttribute('src', /^blob:/)
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
})

test('the list of pending changes, open while its form is left, gives the focus to the page below it', async ({
  device,
  site,
}) => {
  await emptySections(site)
  await createEntry(site, project, formValues(project, 'Faro'))
  const page = await ownerTab(device, { site })
  await pencilOf(page, project, 'Faro').click()
  await fieldOf(page, 'name').fill('Faro nuevo')
  const sheet = await openQueueSheet(page)
  await page.evaluate(() => history.back())
  const question = page.getByRole('dialog', { name: ownerTexts.leaveTitle })
  await question.getByRole('button', { name: ownerTexts.leave }).click()
  await expect(page.getByRole('heading', { level: 1, name: project.title })).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(page.locator('body')).not.toBeFocused()
})
