import { calls } from '#contract/api.ts'
import { publicPaths } from '#tests/support/page-paths.ts'
import { experience } from '#contract/sections/experience.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { expect, test } from '#tests/support/browser.ts'
import { fillForm, openPanel } from '#tests/support/entries.ts'
import { misfitsNow, misfitsOf, openFrame, wordWidths } from '#tests/support/fit.ts'
import { letter } from '#tests/support/messages.ts'
import { leadTo, ownerAddresses } from '#tests/support/owner-pages.ts'
import { openQueueSheet } from '#tests/support/queue.ts'
import { personPath, type Site } from '#tests/support/site.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'
import { everySection } from '#tests/support/site-data.ts'

test.use({ writes: true })
test.describe.configure({ timeout: 120_000 })

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
    const draft = draftIn(section, 'Breve')
    const { json } = await site.call('POST', `${section.key}/create`, { body: draft })
    const path = `${section.key}/update/${String(json['id'])}`
    await expectDone(site.call('PUT', path, { body: draftIn(section, address) }))
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

function draftIn(section: Section, name: string) {
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

test('no long word or address is clipped or widens a page for visitors', async ({
  plain,
  watch,
}) => {
  watch.expect(/404/)
  const frame = await openFrame(plain)
  const misfits: string[] = []
  for (const path of [...publicPaths, '/login', '/cv', '/nada']) {
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
  await frame.goto('/')
  await frame.locator('.tools .wide').first().waitFor({ state: 'attached' })
  const misfits: string[] = []
  for (const path of await ownerAddresses(site)) {
    await leadTo(frame, path)
    misfits.push(...(await misfitsOf(frame, { widths: wordWidths })))
  }
  await leadTo(frame, '/inbox')
  await frame.locator('.msg-list a').first().click()
  await frame.getByRole('article', { name: word }).waitFor()
  misfits.push(...(await misfitsOf(frame, { widths: wordWidths })))
  expect(misfits).toEqual([])
})

test('no long word or address is clipped in a form, its preview, the queue or a notice', async ({
  owner,
  context,
  watch,
}) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED/)
  const panel = await openPanel(owner, experience)
  await fillForm(panel, experience, { draft: draftIn(experience, address) })
  const misfits: string[] = []
  const look = async (what: string) => {
    for (const width of wordWidths) {
      await owner.setViewportSize({ width, height: 900 })
      for (const misfit of await misfitsNow(owner)) misfits.push(`${what}: ${misfit}`)
    }
  }
  await look('panel')
  await context.setOffline(true)
  await panel.getByRole('button', { name: ownerTexts.confirm }).click()
  await owner.locator('main .item.is-pending').first().waitFor()
  await look('pending')
  await openQueueSheet(owner)
  await look('queue')
  expect(misfits).toEqual([])
})
