import { loginTexts } from '#contract/access/login.ts'
import { project } from '#contract/sections/project.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { expect, test } from '#tests/support/browser.ts'
import { foreignChoices } from '#tests/support/choices.ts'
import { letter } from '#tests/support/messages.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'

/* Boxes and dots are ours in both themes, wherever there is something to choose; further ones are looked at where they stand. */

test.use({ writes: true })

test('the box under the sign-in is ours @main', async ({ visitor }) => {
  await visitor.goto('/login')
  const box = visitor.getByRole('checkbox', { name: loginTexts.keep })
  await expect(box).toBeVisible()
  expect(await foreignChoices(visitor)).toEqual([])
  await box.check()
  expect(await foreignChoices(visitor)).toEqual([])
})

test('the box of an answered message is ours', async ({ owner, site }) => {
  await sendMessage(site)
  await owner.goto('/inbox')
  await owner.locator('.msg-list a', { hasText: letter.name }).click()
  const box = owner.getByRole('checkbox', { name: inboxTexts.answer })
  await expect(box).toBeVisible()
  expect(await foreignChoices(owner)).toEqual([])
  await box.check()
  expect(await foreignChoices(owner)).toEqual([])
})

for (const path of ['/settings', project.addPath]) {
  test(`the switches of ${path} are ours`, async ({ owner }) => {
    await owner.goto(path)
    await expect(owner.getByRole('switch').first()).toBeVisible()
    expect(await foreignChoices(owner)).toEqual([])
  })
}
