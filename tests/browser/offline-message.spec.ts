import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright/test'
import { calls } from '#contract/api.ts'
import { contactNotices, contactTexts } from '#contract/messages/contact.ts'
import { messageLifeMs } from '#contract/durations.ts'
import { drainTag } from '#contract/offline/offline.ts'
import { project } from '#contract/sections/project.ts'
import { messageTexts } from '#contract/texts/message.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { problemBody } from '#tests/support/answers.ts'
import { expect } from '#tests/support/browser.ts'
import { keysOf, test, type Line } from '#tests/support/cutting-proxy.ts'
import { databaseText, visit } from '#tests/support/device.ts'
import { snackbar } from '#tests/support/entries.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { recordNotices } from '#tests/support/notices.ts'
import { fieldOf, letter, sendLetter, storedMessages, typeLetter } from '#tests/support/messages.ts'
import { addEntry, emptySections, isDrained, ownerTab, storedNames } from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'

test.use({ writes: true })

const pending = (page: Page) => page.getByRole('article', { name: messageTexts.pending })
const stopped = (page: Page) => page.getByRole('article', { name: messageTexts.refused })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const sentNotice = (page: Page) => snackbar(page, 'success-snackbar', contactNotices.sent)

/** As many messages as one address may send in ten minutes. */
const mostAtOnce = 5

/** Writes a message without a network, on a page that had one, and waits until the device has it. */
async function writeOffline(page: Page): Promise<void> {
  await visit(page, '/contact')
  await page.context().setOffline(true)
  await typeLetter(page)
  await sendLetter(page)
  await expect(pending(page)).toContainText(letter.message)
}

test('a message written without the server waits on the device, is edited, and arrives once @main', async ({
  lasting: device,
  site,
}) => {
  let page = await device.tab()
  await visit(page, '/contact')
  await site.stop('SIGKILL')
  await typeLetter(page)
  await sendLetter(page)
  await expect(snackbar(page, 'info-snackbar', messageTexts.kept)).toBeVisible()
  await expect(pending(page)).toContainText(letter.message)
  await expect(fieldOf(page, 'message')).toHaveValue('')
  await device.restart()
  page = await device.tab()
  const notices = await recordNotices(page.context())
  await visit(page, '/contact')
  await press(page, ownerTexts.edit)
  await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
  await expect(pending(page)).toHaveCount(0)
  await fieldOf(page, 'message').fill('Mejor el lunes')
  await sendLetter(page)
  await expect(pending(page)).toContainText('Mejor el lunes')
  expect(notices).not.toContain(contactNotices.sent)
  await site.start()
  // The page that is being left may be the one that sends it.
  await visit(page, '/contact')
  await expect.poll(() => notices).toContain(contactNotices.sent)
  await expect(pending(page)).toHaveCount(0)
  expect(storedMessages(site)).toEqual(['Mejor el lunes'])
  expect(await databaseText(page, 'tintero-outbox')).not.toContain('lunes')
})

test.describe('in a browser that wakes pages', () => {
  test.use({ deviceExtras: { isWhole: true } })

  test('without a network the form says so, the browser is asked to wake the page, and the message goes by itself', async ({
    device,
    site,
  }) => {
    const page = await device.tab()
    await writeOffline(page)
    await expect(page.getByText(contactTexts.offline)).toBeVisible()
    const tags = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        const { sync } = registration as unknown as { sync: { getTags(): Promise<string[]> } }
        return sync.getTags()
      })
    await expect.poll(tags).toContain(drainTag)
    await device.context.setOffline(false)
    await expect(sentNotice(page)).toBeVisible()
    await expect(pending(page)).toHaveCount(0)
    expect(storedMessages(site)).toEqual([letter.message])
  })
})

test('a message whose answer was lost is sent again and stored once @main', async ({
  device,
  site,
  line,
}) => {
  const notices = await recordNotices(device.context)
  const page = await device.tab()
  await visit(page, '/contact')
  // Browsers try once more by themselves, so more than one answer has to get lost.
  line.decide(() => (notices.includes(messageTexts.kept) ? undefined : { is: 'answer lost' }))
  await typeLetter(page)
  await sendLetter(page)
  await expect.poll(() => notices).toEqual([messageTexts.kept, contactNotices.sent])
  expect(line.writes.length).toBeGreaterThan(1)
  expect(keysOf(line.writes).size).toBe(1)
  expect(storedMessages(site)).toEqual([letter.message])
})

/** Has a message wait on the device, presses it to be edited while it is on its way, and resolves to what lets it go. */
async function editOnItsWay(page: Page, line: Line): Promise<() => void> {
  await visit(page, '/contact')
  line.decide(() => ({ is: 'lost' }))
  await typeLetter(page)
  await sendLetter(page)
  await expect(pending(page)).toContainText(letter.message)
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>()
  line.decide(() => ({ is: 'held', until }))
  await visit(page, '/contact')
  await expect(pending(page)).toContainText(messageTexts.sending)
  // A press that began before the try did finds the button as it is now.
  await page.getByRole('button', { name: ownerTexts.edit, exact: true }).click({ force: true })
  await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
  return letGo
}

test('a message on its way is pressed to be edited, does not arrive, and is sent from the form once', async ({
  device,
  site,
  line,
}) => {
  const page = await device.tab()
  const letGo = await editOnItsWay(page, line)
  await site.stop('SIGKILL')
  letGo()
  await expect(pending(page)).toHaveCount(0)
  await fieldOf(page, 'message').fill('Mejor el lunes')
  await site.start()
  line.decide(() => undefined)
  await sendLetter(page)
  await expect(sentNotice(page)).toBeVisible()
  expect(storedMessages(site)).toEqual(['Mejor el lunes'])
})

test('a message on its way is pressed to be edited, arrives, and is not in the form any more', async ({
  device,
  site,
  line,
}) => {
  const page = await device.tab()
  const letGo = await editOnItsWay(page, line)
  letGo()
  await expect(sentNotice(page)).toBeVisible()
  await expect(page.getByRole('heading', { name: contactTexts.sentTitle })).toBeVisible()
  expect(storedMessages(site)).toEqual([letter.message])
})

test('a message on its way stands still, and what is made of it in a form opened meanwhile is sent too', async ({
  device,
  site,
  line,
}) => {
  const page = await device.tab()
  await visit(page, '/contact')
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>()
  line.decide(() => (line.writes.length === 1 ? { is: 'held', until } : undefined))
  await typeLetter(page)
  await sendLetter(page)
  await expect(fieldOf(page, 'message')).not.toBeEditable()
  await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
  await page.getByRole('link', { name: 'Sobre mí' }).first().click()
  await page.getByRole('link', { name: 'Contacto' }).first().click()
  await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
  await fieldOf(page, 'message').fill('Mejor el lunes')
  await sendLetter(page)
  letGo()
  await expect(page.getByRole('heading', { name: contactTexts.sentTitle })).toBeVisible()
  await expect.poll(() => storedMessages(site)).toEqual([letter.message, 'Mejor el lunes'])
})

test('an edit of a message that had arrived all the same is not taken for it', async ({
  device,
  site,
  line,
}) => {
  const page = await device.tab()
  await visit(page, '/contact')
  let isCut = true
  line.decide(() => {
    if (!isCut) return undefined
    return { is: line.writes.length > 1 ? 'lost' : 'answer lost' }
  })
  await typeLetter(page)
  await sendLetter(page)
  await press(page, ownerTexts.edit)
  await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
  await fieldOf(page, 'message').fill('Otra cosa')
  isCut = false
  await sendLetter(page)
  await expect(page.getByText(messageTexts.arrivedBefore)).toBeVisible()
  expect(storedMessages(site)).toEqual([letter.message])
  await sendLetter(page)
  await expect(sentNotice(page)).toBeVisible()
  expect(storedMessages(site)).toEqual([letter.message, 'Otra cosa'])
})

test('a server in trouble leaves the text in the form, which goes by itself and is then cleared', async ({
  device,
  site,
  line,
}) => {
  const page = await device.tab()
  await visit(page, '/contact')
  let isInTrouble = true
  const json = problemBody('no-disponible')
  line.decide(() => (isInTrouble ? { is: 'answered', status: 503, json } : undefined))
  await typeLetter(page)
  await sendLetter(page)
  await expect(snackbar(page, 'error-snackbar', contactNotices.failed)).toBeVisible()
  await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
  await expect(page.getByText(messageTexts.retrying)).toBeVisible()
  isInTrouble = false
  await expect(sentNotice(page)).toBeVisible()
  await expect(page.getByRole('heading', { name: contactTexts.sentTitle })).toBeVisible()
  expect(storedMessages(site)).toEqual([letter.message])
})

test('a message beyond what the server takes for now waits in the form and arrives once, and holds up none of the owner’s changes', async ({
  device,
  site,
  line,
}) => {
  await emptySections(site)
  const page = await ownerTab(device, { site, path: '/contact' })
  for (let n = 1; n <= mostAtOnce; n++) await sendMessage(site, { message: `De otra persona ${n}` })
  await typeLetter(page)
  await sendLetter(page)
  await expect(snackbar(page, 'error-snackbar', contactNotices.failed)).toBeVisible()
  await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
  await expect(page.getByText(messageTexts.retrying)).toBeVisible()
  expect(await databaseText(page, 'tintero-outbox')).toContain(letter.message)
  await visit(page, project.path)
  await addEntry(page, { name: 'No espera' })
  await expect.poll(() => storedNames(site)).toEqual(['No espera'])
  expect(storedMessages(site)).not.toContain(letter.message)
  endWindows(site)
  await visit(page, '/contact')
  await expect(sentNotice(page)).toBeVisible()
  await isDrained(page)
  expect(storedMessages(site)).toHaveLength(mostAtOnce + 1)
  expect(storedMessages(site).at(-1)).toBe(letter.message)
  const sent = line.writes.filter(({ path }) => path === calls.contact)
  expect(sent.length).toBeGreaterThan(1)
  expect(keysOf(sent).size).toBe(1)
})

/** An hour goes by, after which no window is left in which the server counts what an address sends. */
function endWindows({ dataDir }: Site): void {
  const db = new DatabaseSync(join(dataDir, 'tintero.sqlite'), { timeout: 5000 })
  db.exec('update throttle set since = since - 3600000')
  db.close()
}

test('a message the server refuses is shown with the reason until it is discarded', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await writeOffline(page)
  await site.call('PUT', 'config', { body: { contact_enabled: 'false' } })
  await device.context.setOffline(false)
  await expect(snackbar(page, 'error-snackbar', messageTexts.refusedLate)).toBeVisible()
  await expect(stopped(page)).toContainText(defaultSettings.contact_disabled_text)
  await visit(page, '/contact')
  await expect(stopped(page)).toContainText(letter.message)
  await press(page, messageTexts.discard)
  await page
    .getByRole('group', { name: messageTexts.confirmDiscard })
    .getByRole('button', { name: messageTexts.discard })
    .click()
  await expect(stopped(page)).toHaveCount(0)
  await expect.poll(() => databaseText(page, 'tintero-outbox')).not.toContain(letter.message)
  expect(storedMessages(site)).toEqual([])
})

test('a pending message is discarded only after asking, and is then never sent', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await writeOffline(page)
  await press(page, messageTexts.discard)
  await press(page, ownerTexts.cancel)
  await expect(pending(page)).toContainText(letter.message)
  await press(page, messageTexts.discard)
  const question = page.getByRole('group', { name: messageTexts.confirmDiscard })
  await question.getByRole('button', { name: messageTexts.discard }).click()
  await expect(pending(page)).toHaveCount(0)
  await device.context.setOffline(false)
  await typeLetter(page, { message: 'La segunda' })
  await sendLetter(page)
  await expect(sentNotice(page)).toBeVisible()
  expect(storedMessages(site)).toEqual(['La segunda'])
})

test('a message that could not be sent for seven days waits for the visitor’s word', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await writeOffline(page)
  await page.evaluate(async (age) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const opening = indexedDB.open('tintero-outbox')
    opening.addEventListener('success', () => {
      const queue = opening.result.transaction('queue', 'readwrite').objectStore('queue')
      const reading = queue.get('operations')
      reading.addEventListener('success', () => {
        const madeAt = new Date(Date.now() - age).toISOString()
        const operations = reading.result as readonly object[]
        queue.put(
          operations.map((operation) => ({ ...operation, madeAt })),
          'operations',
        )
        queue.transaction.addEventListener('complete', () => resolve())
      })
    })
    await promise
  }, messageLifeMs + 60_000)
  await device.context.setOffline(false)
  await expect(snackbar(page, 'error-snackbar', messageTexts.expiredLate)).toBeVisible()
  await expect(stopped(page)).toContainText(messageTexts.expired)
  await expect(stopped(page)).toContainText(letter.message)
  expect(storedMessages(site)).toEqual([])
  await press(page, messageTexts.sendAgain)
  await expect(sentNotice(page)).toBeVisible()
  expect(storedMessages(site)).toEqual([letter.message])
})

test('what is typed survives a reload and a restart, and is gone once it is sent', async ({
  lasting: device,
  site,
  line,
}) => {
  let page = await device.tab()
  await visit(page, '/contact')
  await typeLetter(page)
  await visit(page, '/contact')
  await expect(page.getByText(texts.draftBack)).toBeVisible()
  await page.getByRole('link', { name: texts.home }).first().click()
  await expect(page).toHaveURL(`${line.url}/`)
  await page.goBack()
  await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
  await device.restart()
  page = await device.tab()
  await visit(page, '/contact')
  await expect(fieldOf(page, 'name')).toHaveValue(letter.name)
  await expect(fieldOf(page, 'email')).toHaveValue(letter.email)
  await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
  await sendLetter(page)
  await expect(sentNotice(page)).toBeVisible()
  await visit(page, '/contact')
  await expect(fieldOf(page, 'message')).toHaveValue('')
  await expect(page.getByText(texts.draftBack)).toHaveCount(0)
  expect(storedMessages(site)).toEqual([letter.message])
})

test.describe('a form that is left and gone back to', () => {
  const inTrouble = { is: 'answered', status: 503, json: problemBody('no-disponible') } as const

  /** Leaves a message in the form, which goes out by itself once the server is out of trouble. */
  async function leaveInTrouble(page: Page, line: Line): Promise<void> {
    await visit(page, '/contact')
    line.decide(() => inTrouble)
    await typeLetter(page)
    await sendLetter(page)
    await expect(page.getByText(messageTexts.retrying)).toBeVisible()
  }

  /** Goes back to the form and uses it, so that the application runs. */
  async function goBack(page: Page): Promise<void> {
    await page.goBack()
    await page.mouse.move(210, 210)
    await isHydrated(page)
  }

  for (const [browser, undo] of [
    ['', async () => undefined],
    [
      ' in a browser that puts its text back',
      (page: Page) =>
        page.locator('main form').evaluate((form) => form.removeAttribute('autocomplete')),
    ],
  ] as const) {
    test(`has the message that the server could not take${browser}, which is sent once`, async ({
      device,
      site,
      line,
    }) => {
      const page = await device.tab()
      await leaveInTrouble(page, line)
      await undo(page)
      await visit(page, '/about')
      await goBack(page)
      await expect(page.getByText(messageTexts.retrying)).toBeVisible()
      await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
      await expect(pending(page)).toHaveCount(0)
      line.decide(() => undefined)
      await sendLetter(page)
      await expect(page.getByRole('heading', { name: contactTexts.sentTitle })).toBeVisible()
      await isDrained(page)
      expect(storedMessages(site)).toEqual([letter.message])
      expect(await databaseText(page, 'tintero-drafts')).not.toContain(letter.name)
    })

    test(`gives way once the message that was on its way has arrived${browser}`, async ({
      device,
      site,
      line,
    }) => {
      const page = await device.tab()
      await visit(page, '/contact')
      const { promise: never } = Promise.withResolvers<void>()
      line.decide(() => ({ is: 'answer held', until: never }))
      await typeLetter(page)
      await sendLetter(page)
      await expect.poll(() => storedMessages(site)).toEqual([letter.message])
      await undo(page)
      await page.goto('/manifest.webmanifest')
      line.decide(() => undefined)
      await goBack(page)
      await expect(page.getByRole('heading', { name: contactTexts.sentTitle })).toBeVisible()
      await isDrained(page)
      expect(storedMessages(site)).toEqual([letter.message])
      expect(await databaseText(page, 'tintero-drafts')).not.toContain(letter.name)
    })

    test(`is empty once its message has arrived${browser}`, async ({ device, site, line }) => {
      const page = await device.tab()
      await leaveInTrouble(page, line)
      await undo(page)
      line.decide(() => undefined)
      await visit(page, '/about')
      await expect.poll(() => storedMessages(site)).toEqual([letter.message])
      await isDrained(page)
      await goBack(page)
      await expect(fieldOf(page, 'message')).toHaveValue('')
      await expect(fieldOf(page, 'name')).toHaveValue('')
      await typeLetter(page, { message: 'Otra cosa' })
      await sendLetter(page)
      await expect(sentNotice(page)).toBeVisible()
      expect(storedMessages(site)).toEqual([letter.message, 'Otra cosa'])
    })
  }
})

test('what is typed before the page has scripts leaves the older text in the other fields', async ({
  device,
}) => {
  const page = await device.tab()
  await visit(page, '/contact')
  await typeLetter(page, { message: 'El texto largo de ayer' })
  await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain('de ayer')
  await page.addInitScript((name) => {
    document.addEventListener('DOMContentLoaded', () => {
      const field = document.querySelector<HTMLInputElement>('main [name="name"]')
      if (field) field.value = name
    })
  }, 'Berta')
  await visit(page, '/contact')
  await expect(fieldOf(page, 'message')).toHaveValue('El texto largo de ayer')
  await expect(fieldOf(page, 'email')).toHaveValue(letter.email)
  await expect(fieldOf(page, 'name')).toHaveValue('Berta')
  await expect(page.getByText(texts.draftBack)).toBeVisible()
  await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain('Berta')
  expect(await databaseText(page, 'tintero-drafts')).toContain('de ayer')
})

test('what is pasted before the page has scripts is kept like what is typed', async ({
  device,
}) => {
  const page = await device.tab()
  await page.goto('/contact')
  await fieldOf(page, 'message').fill(letter.message)
  await expect
    .poll(() => databaseText(page, 'tintero-drafts'))
    .toContain(JSON.stringify(letter.message).slice(1, -1))
  await visit(page, '/contact')
  await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
  await expect(page.getByText(texts.draftBack)).toBeVisible()
})

test('what is typed while the disk is busy and left at once is there on the next page', async ({
  device,
}) => {
  const page = await device.tab()
  await visit(page, '/contact')
  await fieldOf(page, 'name').fill(letter.name)
  await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain(letter.name)
  const other = await device.tab()
  await visit(other, '/about')
  await other.evaluate(() => {
    const opening = indexedDB.open('tintero-drafts')
    return new Promise<void>((resolve) => {
      opening.addEventListener('success', () => {
        const objects = opening.result.transaction('pictures', 'readwrite').objectStore('pictures')
        const hold = () => {
          resolve()
          objects.get('nothing').addEventListener('success', hold)
        }
        hold()
      })
    })
  })
  await typeLetter(page)
  await visit(page, '/about')
  await other.close()
  // Answers once the other tab's turn is over.
  expect(await databaseText(page, 'tintero-drafts')).not.toContain(letter.message)
  await visit(page, '/contact')
  await expect(fieldOf(page, 'email')).toHaveValue(letter.email)
  await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
})

test('what is typed in the moment in which the page goes is left for the next one', async ({
  device,
}) => {
  const page = await device.tab()
  await visit(page, '/contact')
  // What keeps a text without waiting comes with the first letter, and asks for this.
  const sender = page.waitForResponse((answer) => answer.url().endsWith(`${calls.contact}/mark`))
  await fieldOf(page, 'name').fill(letter.name)
  await sender
  await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain(letter.name)
  // In one turn, as a busy browser takes them.
  const left = await fieldOf(page, 'message').evaluate((field: HTMLTextAreaElement, text) => {
    field.value = text
    field.dispatchEvent(new Event('input', { bubbles: true }))
    dispatchEvent(new Event('pagehide'))
    return JSON.stringify(Object.values(localStorage))
  }, letter.message)
  expect(left).toContain(letter.message)
})

test('where storage is closed a message is sent as ever', async ({ device, site }) => {
  await device.context.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('closed', 'SecurityError')
    }
    Object.defineProperty(globalThis, 'localStorage', {
      get: () => {
        throw new DOMException('closed', 'SecurityError')
      },
    })
    Reflect.deleteProperty(Navigator.prototype, 'locks')
  })
  const page = await device.tab()
  await page.goto('/contact')
  await typeLetter(page)
  await sendLetter(page)
  await expect(sentNotice(page)).toBeVisible()
  expect(storedMessages(site)).toEqual([letter.message])
})

test('a pending message that the browser cannot forget stays, and the visitor is told so', async ({
  device,
}) => {
  const page = await device.tab()
  await writeOffline(page)
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await press(page, messageTexts.discard)
  const question = page.getByRole('group', { name: messageTexts.confirmDiscard })
  await question.getByRole('button', { name: messageTexts.discard }).click()
  await expect(snackbar(page, 'error-snackbar', messageTexts.notDiscarded)).toBeVisible()
  await expect(pending(page)).toContainText(letter.message)
})
