import type { Page } from 'playwright/test'
import { calls } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { openPaths } from '#tests/support/page-paths.ts'
import { experience } from '#contract/sections/experience.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { entriesPerPage } from '#contract/entries/list-pages.ts'
import { problems } from '#contract/problem.ts'
import { fill } from '#contract/text.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { historyTexts } from '#contract/texts/history.ts'
import { importTexts } from '#contract/texts/import.ts'
import { orderTexts } from '#contract/texts/order.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { expect, test } from '#tests/support/browser.ts'
import { binOf, fillForm, itemOf, openPanel, pencilOf } from '#tests/support/entries.ts'
import { misfitsNow, misfitsOf, openFrame, wordWidths, openAsOwner } from '#tests/support/fit.ts'
import { letter } from '#tests/support/messages.ts'
import { leadTo, ownerAddresses, visitInTurn } from '#tests/support/owner-pages.ts'
import { openQueueSheet, storedRows } from '#tests/support/queue.ts'
import { personPath, type Site } from '#tests/support/site.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'
import { everySection } from '#tests/support/site-data.ts'

test.use({ writes: true })

const address = 'administracion.proyectos@nubeficticia.example.com'
const word = 'electroencefalografistasinterhospitalariasotorrinolaringolog'
const sentence = `Escribe a ${address} o lee https://example.com/${word}/${word} sobre ${word}.`

async function expectDone(answer: Promise<{ readonly status: number }>): Promise<void> {
  expect((await answer).status).toBeLessThan(300)
}

/** Writes a long word or address into every text the site shows. */
async function fillWithWords(site: Site): Promise<void> {
  expect(word).toHaveLength(60)
  await expectDone(
    site.call('PUT', personPath(calls.personUpdate), {
      body: { name: 'Ana', lastname: word, title: word, description: sentence },
    }),
  )
  for (const section of sections) {
    // What a new name is too long for, a changed one may be.
    const values = valuesIn(section, 'Breve')
    const { json } = await site.call('POST', `${section.key}/create`, { body: values })
    const path = `${section.key}/update/${String(json['id'])}`
    await expectDone(site.call('PUT', path, { body: valuesIn(section, address) }))
  }
  const settings = {
    email: address,
    location_text: word,
    age_text: address,
    availability_text: word,
    banner_text: sentence,
    linkedin_url: `https://example.com/${word}`,
    github_url: `https://example.com/${word}`,
    profile_urls: `https://example.org/${word}`,
    ...everySection,
  }
  await expectDone(site.call('PUT', calls.config, { body: settings }))
  await sendMessage(site, { ...letter, name: word, email: address, message: sentence })
}

function valuesIn(section: Section, name: string) {
  const fields = Object.entries(section.fields).filter(([, { kind }]) => kind !== 'image')
  const wordsOf = (field: string, limit = 90) => {
    if (field === section.display.title) return name
    return (limit < 60 ? word.slice(0, limit) : sentence).slice(0, limit)
  }
  return Object.fromEntries(
    fields.map(([field, { limit, newLimit }]) => [field, wordsOf(field, newLimit ?? limit)]),
  )
}

test.beforeEach(({ site }) => fillWithWords(site))

test('no long word or address is clipped or widens a page for visitors @main', async ({
  plain,
  watch,
}) => {
  watch.expect(/404/)
  const frame = await openFrame(plain)
  const misfits: string[] = []
  for (const path of openPaths) {
    await frame.goto(path)
    misfits.push(...(await misfitsOf(frame, { widths: wordWidths })))
  }
  expect(misfits).toEqual([])
})

test('no long word or address is clipped or widens a page for the owner', async ({
  owner,
  site,
}) => {
  const frame = await openFrame(owner)
  await openAsOwner(frame)
  const misfits: string[] = []
  await visitInTurn(frame, await ownerAddresses(site), async () => {
    misfits.push(...(await misfitsOf(frame, { widths: wordWidths })))
  })
  await leadTo(frame, '/inbox')
  await frame.locator('.msg-list a').first().click()
  await frame.getByRole('article', { name: word }).waitFor()
  misfits.push(...(await misfitsOf(frame, { widths: wordWidths })))
  expect(misfits).toEqual([])
})

test('a title stands directly over its text, however much stands beside them', async ({
  plain,
  site,
}) => {
  const id = (await storedRows(site, experience.key)).at(-1)?.['id'] ?? ''
  const path = `${experience.key}/update/${id}`
  await expectDone(site.call('PUT', path, { body: { description: 'Breve.' } }))
  await plain.setViewportSize({ width: 1440, height: 900 })
  await plain.goto(experience.path)
  const card = plain.locator('.item .card').filter({ hasText: address }).first()
  const distance = await card.evaluate((element) => {
    // Of what is written: its boxes would fill whatever room there is.
    const [title, text] = ['hgroup', '.description'].map((part) => {
      const range = document.createRange()
      range.selectNodeContents(element.querySelector(part) ?? element)
      return range.getBoundingClientRect()
    })
    return (text?.top ?? 99) - (title?.bottom ?? 0)
  })
  expect(distance).toBeLessThan(16)
})

/** What the page does not fit as it is, at each width, named by what it shows. */
async function look(page: Page, what: string): Promise<readonly string[]> {
  const misfits: string[] = []
  for (const width of wordWidths) {
    await page.setViewportSize({ width, height: 900 })
    misfits.push(...(await misfitsNow(page)).map((misfit) => `${what}: ${misfit}`))
  }
  return misfits
}

test('no long word or address is clipped in a form, its preview, the queue or a notice', async ({
  owner,
  context,
  watch,
}) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED/)
  const panel = await openPanel(owner, experience)
  await fillForm(panel, experience, { values: valuesIn(experience, address) })
  const misfits = [...(await look(owner, 'panel'))]
  await context.setOffline(true)
  await panel.getByRole('button', { name: ownerTexts.confirm }).click()
  await owner.locator('main .item.is-pending').first().waitFor()
  misfits.push(...(await look(owner, 'pending')))
  await openQueueSheet(owner)
  misfits.push(...(await look(owner, 'queue')))
  expect(misfits).toEqual([])
})

test('no long word or address is clipped while entries are sorted or removed, in the bin, a history or what is brought in', async ({
  owner,
  site,
}) => {
  const misfits: string[] = []
  const id = (await storedRows(site, experience.key)).at(-1)?.['id'] ?? ''
  await owner.goto(experience.editPath.replace('$id', id))
  await owner.getByRole('button', { name: historyTexts.open, exact: true }).click()
  await owner.locator('dialog.history .picks button').nth(1).waitFor()
  misfits.push(...(await look(owner, 'history')))
  await owner.goto(experience.path)
  await owner.getByRole('button', { name: orderTexts.sort, exact: true }).click()
  await owner.locator('.order-list').waitFor()
  misfits.push(...(await look(owner, 'order')))
  await owner.goto(experience.path)
  await binOf(owner, experience, address).click()
  const question = owner.getByRole('alertdialog')
  await question.waitFor()
  misfits.push(...(await look(owner, 'question')))
  await question.getByRole('button', { name: ownerTexts.remove, exact: true }).click()
  await owner.locator('main .gone').waitFor()
  misfits.push(...(await look(owner, 'removed')))
  await site.call('POST', ownerCalls.backups)
  await owner.goto('/settings#papelera')
  await owner.getByRole('button', { name: fill(binTexts.restoreName, { name: address }) }).waitFor()
  misfits.push(...(await look(owner, 'bin')))
  await owner.goto('/settings#datos')
  await owner.locator('#datos').getByText(copiesTexts.states.whole).waitFor()
  misfits.push(...(await look(owner, 'backups')))
  await owner.goto('/traer')
  const chooser = owner.getByLabel(importTexts.chooseLabel)
  await expect(chooser).toBeEnabled()
  const work = [{ name: `${address}.ar`, position: word, summary: sentence }]
  const basics = { name: `Ana ${word}`, label: address, summary: sentence }
  const buffer = Buffer.from(JSON.stringify({ basics, work, skills: [{ name: word }] }))
  await chooser.setInputFiles({ name: `${word}.json`, mimeType: '', buffer })
  await owner.locator('.props li').first().waitFor()
  misfits.push(...(await look(owner, 'import')))
  expect(misfits).toEqual([])
})

test('no long word or address is clipped where two versions are compared or combined, or on a further page of a list', async ({
  owner,
  site,
  context,
  watch,
}) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED|409|412|A change was not taken/)
  const misfits: string[] = []
  const id = (await storedRows(site, experience.key)).at(-1)?.['id'] ?? ''
  const path = `${experience.key}/update/${id}`
  const description = owner.getByRole('textbox', {
    name: experience.fields['description']?.label ?? '',
  })
  const update = owner.getByRole('button', { name: ownerTexts.update })
  // By way of the list, whose parts are there without a connection then.
  await owner.goto(experience.path)
  await pencilOf(owner, experience, address).click()
  await description.fill(`${word} ${address}`)
  await expectDone(site.call('PUT', path, { body: { description: `${address} ${word}` } }))
  await update.click()
  const question = owner.getByRole('dialog', { name: problems['version-cambiada'][2] })
  await question.waitFor()
  misfits.push(...(await look(owner, 'question between versions')))
  await question.getByRole('button', { name: ownerTexts.takeTheirs }).click()
  await expect(description).toHaveValue(`${address} ${word}`)
  await context.setOffline(true)
  await description.fill(`${word} ${word}`)
  await update.click()
  await owner.locator('main .item.is-pending').first().waitFor()
  await expectDone(site.call('PUT', path, { body: { description: sentence } }))
  await context.setOffline(false)
  const sheet = await openQueueSheet(owner)
  const combine = sheet.getByRole('button', { name: queueTexts.combine })
  await combine.waitFor()
  misfits.push(...(await look(owner, 'conflict in the queue')))
  await combine.click()
  await sheet.getByRole('textbox').first().waitFor()
  misfits.push(...(await look(owner, 'combining')))
  for (let count = 0; count < entriesPerPage; count++) {
    const body = valuesIn(experience, `Breve ${count}`)
    await expectDone(site.call('POST', `${experience.key}/create`, { body }))
  }
  await owner.goto(`${experience.path}/2`)
  await itemOf(owner, address).waitFor()
  misfits.push(...(await look(owner, 'second page')))
  expect(misfits).toEqual([])
})
