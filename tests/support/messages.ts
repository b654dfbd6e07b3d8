import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { contactFields, contactTexts } from '#contract/messages/contact.ts'
import type { Message } from '#contract/messages/messages.ts'
import type { Locator, Page } from 'playwright/test'
import type { Site } from './site.ts'

export const letter = { name: 'Ana Paz', email: 'ana@example.com', message: '¿Hablamos?' }

/** An unread message of the inbox as the server tells it, with these changes. */
export function receivedMessage(id: string, change: Partial<Message> = {}): Message {
  return {
    id,
    name: 'Ana',
    email: 'a@b.test',
    message: 'Hola',
    receivedAt: '2026-11-14T09:05:00.000Z',
    arrival: 1,
    readAt: null,
    answeredAt: null,
    tray: 'inbox',
    spamReason: '',
    ...change,
  }
}

/** The texts of the messages that the site has stored, in the order they arrived. */
export function storedMessages(site: Site): readonly string[] {
  const db = new DatabaseSync(join(site.dataDir, 'tintero.sqlite'), { readOnly: true })
  const rows = db.prepare('select message from contact_message order by received_at').all()
  db.close()
  return rows.map(({ message }) => String(message))
}

/** A field of the contact form. */
export function fieldOf(page: Page, name: keyof typeof contactFields): Locator {
  return page.getByRole('textbox', { name: contactFields[name].label })
}

/** Types a message into the contact form that the page shows. */
export async function typeLetter(page: Page, values: Partial<typeof letter> = {}): Promise<void> {
  const typed = { ...letter, ...values }
  for (const name of ['name', 'email', 'message'] as const) {
    await fieldOf(page, name).fill(typed[name])
  }
}

/** Presses the button and waits for no answer. */
export async function sendLetter(page: Page): Promise<void> {
  await page.getByRole('button', { name: contactTexts.submit }).click()
}
