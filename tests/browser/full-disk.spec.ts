import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ownerCalls } from '#contract/owner-calls.ts'
import { imageFieldOf } from '#contract/fields.ts'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { texts } from '#contract/texts/site.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { faultsOnPlainGround } from '#tests/support/axe.ts'
import { expect, logOutButton } from '#tests/support/browser.ts'
import { createEntry, formValues, itemOf } from '#tests/support/entries.ts'
import { logInByForm } from '#tests/support/login-form.ts'
import { noise } from '#tests/support/pictures.ts'
import { addEntry, storedNames } from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'
import { canMount, type SmallDisk } from '#tests/support/small-disk.ts'
import { test } from '#tests/support/small-disk-site.ts'

/* What the owner does when the server's disk is full. */

test.skip(!canMount, 'mounting a small disk needs Linux and root')
test.use({ timezoneId: 'UTC' })
test.describe.configure({ timeout: 480_000 })

const older = 'tintero-20260101T031000Z-night.zip'

/** Entries with pictures that weigh some megabytes, a backup of them and one of another night. */
async function fillSite(site: Site, { folder }: SmallDisk): Promise<readonly string[]> {
  const { token } = await site.signIn()
  const ids: string[] = []
  for (let i = 0; i < 4; i++) {
    const { mimeType, buffer } = await noise()
    const { type, newName } = project.images
    const answer = await fetchInTime(
      `${site.url}/api/${ownerCalls.image}/${type}?name=${newName}${i}`,
      {
        method: 'PUT',
        headers: { authorization: `Bearer${String(token)}`, 'content-type': mimeType },
        body: new Uint8Array(buffer),
      },
    )
    const { url } = (await answer.json()) as { readonly url: string }
    const values = {
      ...formValues(project, `Pesado ${i}`),
      [imageFieldOf(project.fields) ?? '']: url,
    }
    ids.push(await createEntry(site, project, values))
  }
  await site.call('POST', ownerCalls.backups)
  const copies = join(folder, 'backups')
  copyFileSync(join(copies, readdirSync(copies)[0] ?? ''), join(copies, older))
  return ids
}

test('she signs in, makes room by deleting a backup or emptying the bin, and her next change is taken', async ({
  visitor: page,
  site,
  disk,
}) => {
  const ids = await fillSite(site, disk)
  const place = page.locator('section#datos')
  const full = place.getByRole('alert').filter({ hasText: copiesTexts.full })
  disk.fill()
  expect((await site.call('POST', `${project.key}/create`, { body: {} })).status).toBe(507)
  await page.goto('/login')
  await logInByForm(page)
  await expect(logOutButton(page)).toBeVisible()
  await page.goto('/settings#datos')
  await expect(full).toBeVisible()
  const row = place.getByRole('listitem').filter({ hasText: '1 de enero' })
  await row.getByRole('button', { name: /^Eliminar la copia del 1 de enero/ }).click()
  const question = page.getByRole('dialog')
  await expect(question.getByRole('button', { name: queueTexts.keep })).toBeFocused()
  expect(await faultsOnPlainGround(page)).toEqual([])
  await question.getByRole('button', { name: queueTexts.keep }).click()
  expect(readdirSync(join(disk.folder, 'backups'))).toContain(older)
  await row.getByRole('button', { name: /^Eliminar la copia del 1 de enero/ }).click()
  await question.getByRole('button', { name: copiesTexts.remove }).click()
  await expect(place.getByRole('status').first()).toHaveText(/^Copia eliminada\. Se liberaron \d/)
  await expect(full).toHaveCount(0)
  expect(readdirSync(join(disk.folder, 'backups'))).not.toContain(older)
  // The last good one has no way out.
  await expect(place.getByRole('button', { name: /^Eliminar la copia/ })).toHaveCount(0)
  await page.goto(project.path)
  await addEntry(page, { name: 'Tras la copia' })
  await expect(itemOf(page, 'Tras la copia')).not.toHaveClass(/is-pending/)
  expect(await storedNames(site)).toContain('Tras la copia')

  for (const id of ids) await site.call('DELETE', `${project.key}/delete/${id}`)
  disk.fill()
  await page.goto('/settings#datos')
  await expect(full).toBeVisible()
  await full.getByRole('link', { name: copiesTexts.openBin }).click()
  await expect(page.locator('.page-head')).toContainText(fill(binTexts.many, { n: 4 }))
  await page.getByRole('button', { name: binTexts.emptyBin }).click()
  await expect(question).toContainText(fill(binTexts.emptyMany, { n: 4 }))
  await expect(question.getByRole('button', { name: queueTexts.keep })).toBeFocused()
  expect(await faultsOnPlainGround(page)).toEqual([])
  await question.getByRole('button', { name: binTexts.emptyBin }).click()
  await expect(page.getByText(/^Papelera vacía\. Se liberaron \d+,\d MB\.$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: binTexts.empty })).toBeVisible()
  expect(readdirSync(join(disk.folder, 'media'))).toEqual(['tmp'])
  await page.goto(project.path)
  await addEntry(page, { name: 'Tras la papelera' })
  await expect(itemOf(page, 'Tras la papelera')).not.toHaveClass(/is-pending/)
  expect(await storedNames(site)).toEqual(
    expect.arrayContaining(['Tras la copia', 'Tras la papelera']),
  )
  await page.goto('/')
  await expect(page.getByText(copiesTexts.full)).toHaveCount(0)
  await expect(page.getByRole('button', { name: texts.retry })).toHaveCount(0)
})
