import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Locator, Page } from 'playwright/test'
import { ownerCalls } from '#contract/owner-calls.ts'
import { maxListedMessages, messageNotices, spamWords } from '#contract/messages/messages.ts'
import { fill } from '#contract/text.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { texts } from '#contract/texts/site.ts'
import {
  faultsInBothThemes,
  faultsInEveryLook,
  lookWidths,
  show,
  sidewaysOf,
} from '#tests/support/axe.ts'
import { expect, logOut, test } from '#tests/support/browser.ts'
import { snackbar } from '#tests/support/entries.ts'
import { everythingStored } from '#tests/support/profile-search.ts'
import { isDrained } from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'
import { passTime, stopClock } from '#tests/support/time.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'

test.use({ writes: true })

const first = { name: 'Ana Paz', email: 'ana@example.com', message: '¿Hablamos?' }
const second = {
  name: '<b>Marcos</b> Prueba',
  email: 'marcos@example.com',
  message: 'Hola:\n\n<img src=x onerror=alert(1)> en https://ejemplo.test\nsaludos',
}
const line = (page: Page, name: string) => page.locator('.msg-list a', { hasText: name })
const lines = (page: Page) => page.locator('.msg-list a b').allTextContents()
const reader = (page: Page, name: string) => page.getByRole('article', { name })
const unreadOn = async (site: Site) =>
  (await site.call('GET', `${ownerCalls.messages}/unread`)).json['unread']
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Sends the first message, and opens it. */
async function openFirst(owner: Page, site: Site): Promise<void> {
  await sendMessage(site, first)
  await owner.goto('/inbox')
  await line(owner, first.name).click()
}

test('messages stand newest first, are read as plain text, and count until they are opened @main', async ({
  owner,
  site,
}) => {
  await sendMessage(site, first)
  await sendMessage(site, second)
  await owner.goto('/inbox')
  await expect(owner.getByText('2 sin leer', { exact: true })).toBeVisible()
  expect(await lines(owner)).toEqual([
    `${inboxTexts.isUnread} ${second.name}`,
    `${inboxTexts.isUnread} ${first.name}`,
  ])
  await line(owner, second.name).click()
  const message = reader(owner, second.name)
  await expect(message).toContainText('<img src=x onerror=alert(1)> en https://ejemplo.test')
  await expect(message.locator('.msg a, .msg img')).toHaveCount(0)
  await expect(owner.getByText('1 sin leer', { exact: true })).toBeVisible()
  await expect(owner.getByRole('link', { name: inboxTexts.linkUnreadOne })).toBeVisible()
  await owner.reload()
  await expect(message).toBeVisible()
  const { json } = await site.call('GET', `${ownerCalls.messages}/unread`)
  expect(json['unread']).toBe(1)
})

test('the message beside the list is read by whoever does something there, unless she marked it', async ({
  owner,
  site,
}) => {
  await sendMessage(site, first)
  // However long the machine takes, the first movement comes before the message has been shown for a moment.
  await stopClock(owner)
  await owner.goto('/inbox')
  await expect(async () => {
    await passTime(owner, 50)
    await expect(reader(owner, first.name)).toBeVisible({ timeout: 300 })
  }).toPass()
  await owner.mouse.move(300, 300)
  await passTime(owner, 2_000)
  await expect(owner.getByText('1 sin leer', { exact: true })).toBeVisible()
  expect(await unreadOn(site)).toBe(1)
  await owner.clock.resume()
  await owner.mouse.move(320, 300)
  await expect(owner.getByText(inboxTexts.allRead)).toBeVisible()
  await expect.poll(() => unreadOn(site)).toBe(0)
  await press(owner, inboxTexts.markUnread)
  await expect(owner.getByText('1 sin leer', { exact: true })).toBeVisible()
  await expect.poll(() => unreadOn(site)).toBe(1)
  await passTime(owner, 2_000)
  await owner.mouse.move(340, 300)
  await owner.getByRole('link', { name: texts.settings }).click()
  await owner.getByRole('link', { name: inboxTexts.linkUnreadOne }).click()
  await expect(reader(owner, first.name)).toBeVisible()
  await passTime(owner, 2_000)
  await owner.mouse.move(360, 300)
  await expect(owner.getByText('1 sin leer', { exact: true })).toBeVisible()
  expect(await unreadOn(site)).toBe(1)
})

test('older messages come when asked for, and stay when the folder is read anew', async ({
  owner,
  site,
}) => {
  await sendMessage(site, first)
  const older = maxListedMessages + 2
  ageOfMessages(site, older)
  await owner.goto('/inbox')
  const note = owner.getByRole('status').filter({ hasText: 'recientes' })
  const counts = { n: maxListedMessages, total: older + 1 }
  await expect(note).toHaveText(fill(inboxTexts.more, counts))
  await press(owner, inboxTexts.seeOlder)
  await expect(owner.locator('.msg-list a')).toHaveCount(older + 1)
  await expect(owner.locator('.msg-list a').nth(maxListedMessages)).toBeFocused()
  await expect(owner.getByRole('button', { name: inboxTexts.seeOlder })).toHaveCount(0)
  await expect(owner.getByText(fill(inboxTexts.allShown, { total: older + 1 }))).toBeVisible()
  await sendMessage(site, second)
  await owner.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await expect(line(owner, second.name)).toBeVisible()
  await expect(owner.locator('.msg-list a')).toHaveCount(older + 2)
})

/** Puts messages of last year into the site's database. */
function ageOfMessages({ dataDir }: Site, count: number): void {
  const db = new DatabaseSync(join(dataDir, 'tintero.sqlite'), { timeout: 5000 })
  const insert = db.prepare(
    `insert into contact_message (id, name, email, message, received_at, spam, spam_reason, rung)
     values (?, 'Vieja', 'vieja@example.com', 'Hola', '2025-01-01T00:00:00.000Z', 0, '', 1)`,
  )
  db.exec('begin immediate')
  for (let n = 0; n < count; n++) insert.run(`vieja-${n}`)
  db.exec('commit')
  db.close()
}

test('the answer is a mail to the sender with the message quoted @main', async ({
  owner,
  site,
}) => {
  await sendMessage(site, second)
  await owner.goto('/inbox')
  const reply = owner.getByRole('link', { name: inboxTexts.reply })
  const address = new URL((await reply.getAttribute('href')) ?? '')
  expect(address.protocol + address.pathname).toBe(`mailto:${second.email}`)
  expect(address.searchParams.get('body')).toContain(
    '> Hola:\r\n> \r\n> <img src=x onerror=alert(1)> en https://ejemplo.test\r\n> saludos',
  )
})

test('a sender whose name has no letter has a sign in place of initials', async ({
  owner,
  site,
}) => {
  await sendMessage(site, { ...first, name: '🦊✨' })
  await sendMessage(site, second)
  await owner.goto('/inbox')
  const avatars = owner.locator('.avatar')
  await expect(avatars.filter({ hasText: /\p{L}/u })).toHaveCount(1)
  await expect(avatars.filter({ hasText: /^$/ }).locator('svg')).toBeVisible()
})

test('a message is marked as unread, moved to spam and back, and deleted for good', async ({
  owner,
  site,
}) => {
  await openFirst(owner, site)
  await expect(owner.getByText(inboxTexts.allRead)).toBeVisible()
  await press(owner, inboxTexts.markUnread)
  await expect(owner.getByText('1 sin leer', { exact: true })).toBeVisible()
  await line(owner, first.name).click()
  await press(owner, inboxTexts.toSpam)
  await expect(snackbar(owner, 'success-snackbar', messageNotices.toSpam)).toBeVisible()
  await expect(owner.getByRole('heading', { name: inboxTexts.empty })).toBeVisible()
  await owner.getByRole('link', { name: inboxTexts.seeSpam }).click()
  await expect(reader(owner, first.name)).toContainText(spamWords('owner'))
  await press(owner, inboxTexts.toInbox)
  await expect(owner.getByRole('heading', { name: inboxTexts.spamEmpty })).toBeVisible()
  await owner.getByRole('link', { name: inboxTexts.seeInbox }).click()
  await line(owner, first.name).click()
  await press(owner, inboxTexts.remove)
  await owner.getByRole('alertdialog').getByRole('button', { name: ownerTexts.remove }).click()
  await expect(snackbar(owner, 'success-snackbar', messageNotices.deleted)).toBeVisible()
  await expect(owner.getByRole('heading', { name: inboxTexts.empty })).toBeVisible()
  const { json } = await site.call('GET', `${ownerCalls.messages}?tray=spam`)
  expect(json['messages']).toEqual([])
})

test('the last message that leaves a folder gives the focus on to its title', async ({
  owner,
  site,
}) => {
  await openFirst(owner, site)
  await expect(owner.getByText(inboxTexts.allRead)).toBeVisible()
  await owner.reload()
  const message = reader(owner, first.name)
  await message.getByRole('button', { name: inboxTexts.toSpam }).press('Enter')
  await expect(owner.getByRole('heading', { name: inboxTexts.empty })).toBeVisible()
  await expect(owner.getByRole('heading', { name: texts.inbox, level: 1 })).toBeFocused()
})

test('the spam folder is emptied after a question', async ({ owner, site }) => {
  await openFirst(owner, site)
  await press(owner, inboxTexts.toSpam)
  await expect(owner.getByRole('heading', { name: inboxTexts.empty })).toBeVisible()
  await owner.getByRole('link', { name: inboxTexts.seeSpam }).click()
  await press(owner, inboxTexts.emptySpam)
  const question = owner.getByRole('alertdialog')
  await expect(question).toContainText(inboxTexts.confirmEmptySpam)
  await question.getByRole('button', { name: ownerTexts.remove }).click()
  await expect(snackbar(owner, 'success-snackbar', messageNotices.spamEmptied)).toBeVisible()
  await expect(owner.getByRole('heading', { name: inboxTexts.spamEmpty })).toBeVisible()
  const { json } = await site.call('GET', `${ownerCalls.messages}?tray=spam`)
  expect(json['messages']).toEqual([])
})

test('the spam folder that is emptied after she went on leaves her where she is', async ({
  owner,
  site,
}) => {
  await openFirst(owner, site)
  await press(owner, inboxTexts.toSpam)
  await owner.getByRole('link', { name: inboxTexts.seeSpam }).click()
  const { promise: until, resolve: answer } = Promise.withResolvers<void>()
  await owner.route(`**/api/${ownerCalls.messages}/spam\\?*`, async (route) => {
    await until
    await route.continue()
  })
  await owner.getByRole('button', { name: inboxTexts.emptySpam }).press('Enter')
  await owner
    .getByRole('alertdialog')
    .getByRole('button', { name: ownerTexts.remove })
    .press('Enter')
  // The button goes with the messages.
  await expect(owner.getByRole('heading', { level: 1 })).toBeFocused()
  const inbox = owner.getByRole('link', { name: inboxTexts.seeInbox })
  await inbox.focus()
  answer()
  await expect(snackbar(owner, 'success-snackbar', messageNotices.spamEmptied)).toBeVisible()
  await expect(inbox).toBeFocused()
})

test('what arrives while she is asked is not deleted unseen', async ({ owner, site }) => {
  await openFirst(owner, site)
  await press(owner, inboxTexts.toSpam)
  await owner.getByRole('link', { name: inboxTexts.seeSpam }).click()
  await press(owner, inboxTexts.emptySpam)
  const links = ['a', 'b', 'c', 'd', 'e'].map(
    (host) => `<a href="https://${host}.test">${host}</a>`,
  )
  await sendMessage(site, { name: 'Tarde', message: links.join(' ') })
  const question = owner.getByRole('alertdialog')
  await question.getByRole('button', { name: ownerTexts.remove }).click()
  await expect(snackbar(owner, 'success-snackbar', messageNotices.spamEmptied)).toBeVisible()
  await expect(line(owner, 'Tarde')).toBeVisible()
  await expect(line(owner, first.name)).toHaveCount(0)
})

test('everything is marked as read at once', async ({ owner, site }) => {
  for (const name of ['Una', 'Dos', 'Tres']) await sendMessage(site, { name, message: name })
  await owner.goto('/inbox')
  await owner.getByRole('button', { name: inboxTexts.readAll }).press('Enter')
  // The button goes with what was new.
  await expect(owner.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(owner.getByText(inboxTexts.allRead)).toBeVisible()
  await expect(owner.getByRole('link', { name: inboxTexts.link, exact: true })).toBeVisible()
  const { json } = await site.call('GET', `${ownerCalls.messages}/unread`)
  expect(json['unread']).toBe(0)
})

test('what the server does not do is taken back and said', async ({ owner, site, watch }) => {
  watch.expect(/was not done|net::ERR/)
  // Beside the list a message would be read by whoever moves the pointer.
  await owner.setViewportSize({ width: 390, height: 844 })
  await sendMessage(site, first)
  await owner.goto('/inbox')
  await expect(line(owner, first.name)).toBeVisible()
  await owner.route(`**/api/${ownerCalls.messages}/read\\?*`, (route) => route.abort())
  await press(owner, inboxTexts.readAll)
  await expect(snackbar(owner, 'error-snackbar', inboxTexts.notDone)).toBeVisible()
  await expect(owner.getByText('1 sin leer', { exact: true })).toBeVisible()
})

test('on a phone a message takes the place of the list, and the focus follows', async ({
  owner,
  site,
}) => {
  await owner.setViewportSize({ width: 390, height: 844 })
  await sendMessage(site, first)
  await sendMessage(site, second)
  await owner.goto('/inbox')
  await expect(reader(owner, second.name)).toBeHidden()
  await line(owner, first.name).click()
  await expect(line(owner, first.name)).toBeHidden()
  await expect(owner.getByRole('heading', { name: first.name })).toBeFocused()
  await reader(owner, first.name).getByRole('link', { name: inboxTexts.back }).click()
  await expect(line(owner, first.name)).toBeFocused()
  await line(owner, second.name).click()
  await owner.goBack()
  await expect(line(owner, second.name)).toBeVisible()
})

test('a message that is not there any more says so', async ({ owner, site }) => {
  await sendMessage(site, first)
  await owner.goto('/inbox?mensaje=01a1faf7-980f-7730-8e3f-8840abb99f97')
  await expect(owner.getByText(inboxTexts.gone)).toBeVisible()
})

test('nothing of the messages is left on the page or in storage after signing out @main', async ({
  owner,
  site,
}) => {
  await sendMessage(site, first)
  await owner.goto('/inbox')
  await expect(owner.locator('main')).toContainText(first.message)
  expect(await everythingStored(owner)).not.toContain(first.message)
  await logOut(owner)
  await expect(owner.getByText('Inicia sesión para continuar.')).toBeVisible()
  await expect(owner.locator('body')).not.toContainText(first.message)
  expect(await everythingStored(owner)).not.toContain(first.message)
})

for (const width of [320, 390]) {
  test(`on a screen of ${width} the small ways under a message stand in line with the others`, async ({
    owner,
    site,
  }) => {
    await sendMessage(site, first)
    await owner.setViewportSize({ width, height: 800 })
    await owner.goto('/inbox')
    await line(owner, first.name).click()
    const toSpam = owner.getByRole('button', { name: inboxTexts.toSpam })
    const unread = owner.getByRole('button', { name: inboxTexts.markUnread })
    await expect(unread).toBeVisible()
    const [small, beside, reply, answer] = await Promise.all([
      wordsBox(toSpam),
      wordsBox(unread),
      owner.getByRole('link', { name: inboxTexts.reply }).boundingBox(),
      owner.locator('.answer').boundingBox(),
    ])
    // The first of them begins where everything above it does, and both stand on one line or under each other.
    expect(Math.round(beside.x)).toBe(Math.round(reply?.x ?? 0))
    expect(Math.round(beside.x)).toBe(Math.round(answer?.x ?? 0))
    expect(small.y === beside.y || Math.round(small.x) === Math.round(beside.x)).toBe(true)
    expect(small.x + small.width).toBeLessThanOrEqual(width)
  })
}

/** Where the words of a button are. */
const wordsBox = (button: Locator) =>
  button.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const { x, y, width } = range.getBoundingClientRect()
    return { x, y, width }
  })

test('the inbox has no faults of access in any look', async ({ owner, site }) => {
  await sendMessage(site, { ...first, name: 'W'.repeat(150) })
  await sendMessage(site, second)
  await owner.goto('/inbox')
  await expect(line(owner, second.name)).toBeVisible()
  const fits = async () => expect(await sidewaysOf(owner)).toBe(0)
  // All looks of the list come first: what is opened is read from then on.
  expect(await faultsInEveryLook(owner, fits)).toEqual([])
  for (const width of lookWidths) {
    const at = `a message at ${width}`
    await test.step(at, async () => {
      await owner.goto('/inbox')
      await expect(line(owner, second.name), at).toBeVisible()
      await show(owner, { theme: 'dark', width })
      await line(owner, 'WWW').click()
      await expect(reader(owner, 'WWW'), at).toBeVisible()
      const answered = owner.getByRole('checkbox', { name: inboxTexts.answer })
      await answered.check()
      await expect(owner.locator('.reader-head .chip'), at).toBeVisible()
      await isDrained(owner)
      await expect(owner.locator('.sync'), at).toHaveAccessibleName(queueTexts.empty)
      expect(await faultsInBothThemes(owner, width, fits)).toEqual([])
      await answered.uncheck()
      await expect(owner.locator('.reader-head .chip'), at).toHaveCount(0)
      await isDrained(owner)
    })
  }
})
