import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright/test'
import { ownerCalls } from '#contract/owner-calls.ts'
import type { BackupList, BackupStatus, ListedBackup } from '#contract/backups.ts'
import { problems } from '#contract/problem.ts'
import { sections } from '#contract/sections/index.ts'
import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { texts } from '#contract/texts/site.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { answer, refuse } from '#tests/support/answers.ts'
import { faultsInEveryLook, sidewaysOf } from '#tests/support/axe.ts'
import { expect, logOutButton, test } from '#tests/support/browser.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true, timezoneId: 'UTC' })

const place = (page: Page) => page.locator('section#datos')
const rows = (page: Page) =>
  place(page)
    .getByRole('listitem')
    .filter({ has: page.locator('b') })
const make = (page: Page) =>
  place(page).getByRole('button', { name: copiesTexts.make, exact: true })

const daysAgo = (days: number) => {
  const at = new Date(Date.now() - days * 86_400_000)
  at.setUTCHours(3, 10, 0, 0)
  return at.toISOString()
}
const listed = (days: number, more: Partial<ListedBackup> = {}): ListedBackup => ({
  name: `tintero-2026110${days}T031000Z-night.zip`,
  madeAt: daysAgo(days),
  reason: 'night',
  bytes: 18_400_000,
  state: 'whole',
  lacking: 0,
  isNeeded: false,
  ...more,
})
const some = [
  listed(1),
  listed(2),
  listed(4, { reason: 'update', bytes: 18_100_000 }),
  listed(6),
  listed(9, { reason: 'week', bytes: 930_000 }),
]

/** Puts a picture into the site, as the form of a section does. */
async function uploadPicture(site: Site): Promise<void> {
  const { type = '', newName = '' } = sections.find(({ images }) => images)?.images ?? {}
  const { token } = await site.signIn()
  const answered = await fetchInTime(
    `${site.url}/api/${ownerCalls.image}/${type}?name=${newName}copia`,
    {
      method: 'PUT',
      headers: { authorization: `Bearer${String(token)}`, 'content-type': 'image/png' },
      body: new Uint8Array((await colourSquare('#3a7')).buffer),
    },
  )
  expect(answered.status).toBe(201)
}

async function serve(page: Page, backups: readonly ListedBackup[], status: BackupStatus) {
  const list: BackupList = { backups, status }
  await page.route(`**/api/${ownerCalls.backups}`, (route) => answer(route, list))
  await page.route(`**/api/${ownerCalls.backupStatus}`, (route) => answer(route, status))
}

const nightFailed: BackupStatus = {
  trouble: { is: 'failed', at: new Date().toISOString(), reason: 'night', why: 'full' },
  lastGood: daysAgo(1),
}

test('a backup is made, listed and downloaded whole by the browser itself @main', async ({
  owner,
  site,
}) => {
  await owner.goto('/settings#datos')
  await expect(place(owner)).toContainText(copiesTexts.empty)
  await make(owner).click()
  await expect(place(owner).getByRole('status').first()).toHaveText(backupTexts.made)
  await expect(rows(owner)).toHaveCount(1)
  await expect(rows(owner)).toContainText(`${copiesTexts.reasons.hand} · `)
  await expect(rows(owner)).toContainText(copiesTexts.states.whole)
  const downloading = owner.waitForEvent('download')
  await rows(owner).getByRole('button', { name: copiesTexts.download }).click()
  const download = await downloading
  const name = download.suggestedFilename()
  const kept = await readFile(join(site.dataDir, 'backups', name))
  expect((await readFile(await download.path())).equals(kept)).toBe(true)
  // Its address names no session, and the page is still there.
  expect(download.url()).not.toContain(String((await site.signIn())['token']))
  await expect(make(owner)).toBeVisible()
})

test('a file that the disk has changed is red, has no download, and is told on every page', async ({
  owner,
  site,
}) => {
  const { json } = await site.call('POST', ownerCalls.backups)
  const file = join(site.dataDir, 'backups', String(json['name']))
  const bytes = await readFile(file)
  // The first of its contents, behind a header: a header may be changed in places without harm to what the file keeps.
  const first = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28)
  bytes[first] = (bytes[first] ?? 0) ^ 1
  await writeFile(file, bytes)
  await owner.goto('/settings#datos')
  const row = rows(owner).first()
  await expect(row).toContainText(copiesTexts.states.damaged)
  await expect(row.getByRole('button', { name: copiesTexts.download })).toHaveCount(0)
  await expect(place(owner).getByRole('alert')).toContainText(copiesTexts.damaged)
  await owner.goto('/about')
  const band = owner.locator('.net-band.bad-tone')
  await expect(band).toContainText(`${copiesTexts.damaged}. ${copiesTexts.noGoodOne}`)
  await band.getByRole('link', { name: copiesTexts.see }).click()
  await expect(owner).toHaveURL(/\/settings#datos$/)
  // It stands over the button and pushes it down: a press that was aimed before it came meets what is there then.
  await expect(place(owner).getByRole('alert')).toBeVisible()
  await make(owner).click()
  await expect(place(owner).getByRole('status').first()).toHaveText(backupTexts.made)
  await expect(band).toHaveCount(0)
  await rm(file)
})

test('one that lacks a picture is red, can be taken, and says what helps', async ({
  owner,
  site,
}) => {
  await uploadPicture(site)
  const complete = await site.call('POST', ownerCalls.backups)
  expect(complete.json['lacking']).toBe(0)
  const media = join(site.dataDir, 'media')
  const files = (await readdir(media)).filter((name) => name.endsWith('.webp'))
  expect(files).not.toEqual([])
  for (const file of files) await writeFile(join(media, file), 'damaged')
  await owner.goto('/settings#datos')
  await make(owner).click()
  await expect(place(owner).getByRole('status').first()).toHaveText(backupTexts.madeLackingOne)
  const row = rows(owner).first()
  await expect(row).toContainText(copiesTexts.lackingOne)
  await expect(row.getByRole('button', { name: copiesTexts.download })).toBeVisible()
  const alert = place(owner).getByRole('alert')
  await expect(alert).toContainText(copiesTexts.incompleteOne)
  await expect(alert).toContainText(copiesTexts.advice.incomplete)
  await owner.goto('/about')
  await expect(owner.locator('.net-band.bad-tone')).toContainText(copiesTexts.incompleteOne)
})

test('one is deleted after a question, the last good one stays, and a refusal says why', async ({
  owner,
  site,
  watch,
}) => {
  watch.expect(/409|No backup was/)
  const { json } = await site.call('POST', ownerCalls.backups)
  const folder = join(site.dataDir, 'backups')
  const [newest, older] = [String(json['name']), 'tintero-20260101T031000Z-night.zip']
  await copyFile(join(folder, newest), join(folder, older))
  await owner.goto('/settings#datos')
  const remove = (row: Locator) => row.getByRole('button', { name: /^Eliminar la copia del/ })
  const question = owner.getByRole('dialog')
  const confirm = question.getByRole('button', { name: copiesTexts.remove })
  await expect(rows(owner)).toHaveCount(2)
  await remove(rows(owner).last()).click()
  await question.getByRole('button', { name: queueTexts.keep }).click()
  await expect(question).toHaveCount(0)
  // The other one goes meanwhile: this page does not know that the last good one is left.
  await remove(rows(owner).first()).click()
  await rm(join(folder, older))
  await confirm.click()
  await expect(rows(owner)).toHaveCount(1)
  await expect(rows(owner)).toContainText(problems['ultima-copia'][2])
  await expect(remove(rows(owner))).toHaveCount(0)
  expect(await readdir(folder)).toEqual([newest])
  await copyFile(join(folder, newest), join(folder, older))
  await owner.reload()
  await remove(rows(owner).last()).click()
  await confirm.click()
  await expect(place(owner).getByRole('status').first()).toHaveText(/^Copia eliminada\./)
  await expect(rows(owner)).toHaveCount(1)
  await expect(place(owner).getByRole('list', { name: copiesTexts.list })).toBeFocused()
  expect(await readdir(folder)).toEqual([newest])
})

test('while a file’s address is asked for it is not deleted, and after the last one the title has the focus', async ({
  owner,
  watch,
}) => {
  watch.expect(/404|No backup was/)
  const released = Promise.withResolvers<void>()
  const status: BackupStatus = { trouble: null, lastGood: null }
  await serve(owner, [listed(1, { lacking: 1 })], status)
  await owner.route(`**/api/${ownerCalls.backups}/*/link`, async (route) => {
    await released.promise
    await refuse(route, 'no-encontrado')
  })
  await owner.goto('/settings#datos')
  const trash = rows(owner).getByRole('button', { name: /^Eliminar la copia del/ })
  const question = owner.getByRole('dialog')
  await rows(owner).getByRole('button', { name: copiesTexts.download }).click()
  await trash.press('Enter')
  await expect(question).toHaveCount(0)
  await expect(trash).toHaveAttribute('aria-disabled', 'true')
  released.resolve()
  await expect(rows(owner)).toContainText(problems['no-encontrado'][2])
  await owner.route(`**/api/${ownerCalls.backups}/*`, async (route) => {
    await serve(owner, [], status)
    await answer(route, { mensaje: backupTexts.removed })
  })
  await trash.click()
  await question.getByRole('button', { name: copiesTexts.remove }).click()
  await expect(place(owner)).toContainText(copiesTexts.empty)
  await expect(place(owner).getByRole('heading', { level: 2 })).toBeFocused()
})

test('a server that cannot make one says why, and the page offers to try again', async ({
  owner,
  site,
  watch,
}) => {
  watch.expect(/500|No backup was made/)
  await site.call('POST', ownerCalls.backups)
  const folder = join(site.dataDir, 'backups')
  await rm(folder, { recursive: true })
  await writeFile(folder, 'in the way')
  await owner.goto('/settings#datos')
  await make(owner).click()
  await expect(place(owner).getByRole('status').first()).not.toBeEmpty()
  await rm(folder)
  await owner.reload()
  const alert = place(owner).getByRole('alert')
  await expect(alert).toContainText(`${copiesTexts.lastFailed}: ${copiesTexts.faults.other}`)
  await alert.getByRole('button', { name: copiesTexts.tryNow }).press('Enter')
  await expect(rows(owner)).toHaveCount(1)
  await expect(alert).toHaveCount(0)
  // The button goes with what was wrong.
  await expect(place(owner).getByRole('heading', { level: 2 })).toBeFocused()
})

test('a night that failed is said here, in the list and in the band of every page', async ({
  owner,
}) => {
  await serve(owner, some, nightFailed)
  await owner.goto('/settings#datos')
  const alert = place(owner).getByRole('alert')
  await expect(alert).toContainText(`${copiesTexts.nightFailed}: ${copiesTexts.faults.full}`)
  await expect(alert).toContainText(copiesTexts.advice.full)
  await expect(rows(owner).first()).toContainText(copiesTexts.failed)
  await expect(rows(owner)).toHaveCount(5)
  await place(owner)
    .getByRole('button', { name: fill(copiesTexts.showAll, { n: some.length }) })
    .click()
  await expect(rows(owner)).toHaveCount(6)
  await expect(rows(owner).last()).toContainText(`${copiesTexts.reasons.week} · 930 KB`)
  await owner.goto('/')
  await expect(owner.locator('.net-band')).toContainText(copiesTexts.nightFailed)
})

test.describe('a list that cannot be read', () => {
  test('says so, and is read when asked again', async ({ owner, watch }) => {
    watch.expect(/500|Could not load backups/)
    let isBroken = true
    await owner.route(`**/api/${ownerCalls.backups}`, (route) =>
      isBroken
        ? refuse(route, 'error-interno')
        : answer(route, { backups: some, status: { trouble: null, lastGood: daysAgo(1) } }),
    )
    await owner.goto('/settings#datos')
    await expect(place(owner)).toContainText(copiesTexts.unread)
    await expect(place(owner)).toContainText(copiesTexts.refusedHint)
    isBroken = false
    await place(owner).getByRole('button', { name: texts.retry }).press('Enter')
    await expect(rows(owner)).toHaveCount(4)
    await expect(owner.locator('#datos-title')).toBeFocused()
  })

  test('asks for a session that has ended, and then reads on', async ({ owner, site, watch }) => {
    watch.expect(/401/)
    await site.call('POST', ownerCalls.backups)
    await owner.goto('/settings#datos')
    await expect(rows(owner)).toHaveCount(1)
    await owner.evaluate(() => sessionStorage.setItem('authToken', 'x'.repeat(43)))
    await owner.reload()
    await expect(owner.getByRole('dialog')).toBeVisible()
  })

  test('without a connection nothing is said to be there', async ({ owner, context, watch }) => {
    watch.expect(/ERR_INTERNET_DISCONNECTED|Failed to (?:fetch|load)|No backup/)
    await serve(owner, some, { trouble: null, lastGood: daysAgo(1) })
    await owner.goto('/settings#datos')
    await expect(rows(owner)).toHaveCount(4)
    await owner.unroute(`**/api/${ownerCalls.backups}`)
    await expect(logOutButton(owner)).toBeVisible()
    await context.setOffline(true)
    await make(owner).click()
    await expect(place(owner).getByRole('status').first()).toHaveText(copiesTexts.unanswered)
    await rows(owner).first().getByRole('button', { name: copiesTexts.download }).click()
    await expect(rows(owner).first()).toContainText(copiesTexts.notDownloaded)
    await context.setOffline(false)
  })
})

test('a folder that the server cannot read is told on every page', async ({ owner }) => {
  await serve(owner, [], { trouble: { is: 'unread' }, lastGood: null })
  await owner.goto('/about')
  const band = owner.locator('.net-band.bad-tone')
  await expect(band).toContainText(`${copiesTexts.unread}. ${copiesTexts.advice.other}`)
})

test('is accessible in every look, well and in trouble, and nothing scrolls sideways', async ({
  owner,
}) => {
  // Sixteen pages are read through.
  test.setTimeout(240_000)
  const incomplete = {
    trouble: { is: 'incomplete', lacking: 3 },
    lastGood: daysAgo(1),
  } as const
  const full = { trouble: { is: 'full', toFree: 5_300_000 }, lastGood: daysAgo(1) } as const
  const well = { trouble: null, lastGood: daysAgo(1) }
  for (const status of [well, nightFailed, incomplete, full]) {
    await owner.unrouteAll()
    const lacking = listed(0, { lacking: 3 })
    await serve(owner, [lacking, ...some, listed(8, { state: 'damaged' })], status)
    await owner.goto('/settings#datos')
    await owner.reload()
    await expect(rows(owner).first()).toBeVisible()
    await place(owner).getByText(copiesTexts.restore).click()
    const faults = await faultsInEveryLook(owner, async (look) => {
      expect(await sidewaysOf(owner)).toBe(0)
      const shots = process.env['TINTERO_SHOTS']
      if (shots) {
        const name = `${status.trouble?.is ?? 'good'}-${look.width}-${look.theme}.png`
        await owner.screenshot({ path: join(shots, name), fullPage: true })
      }
    })
    expect(faults, status.trouble?.is).toEqual([])
  }
})
