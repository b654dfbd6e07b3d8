import type { Locator, Page } from 'playwright/test'
import { importTexts } from '#contract/texts/import.ts'

/** Where a file is chosen to be brought in. */
export const fileChooser = (page: Page): Locator => page.getByLabel(importTexts.chooseLabel)

/** Chooses a file of this name and content. */
export const giveFile = (page: Page, name: string, content: Buffer | string): Promise<void> =>
  fileChooser(page).setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) })

/** The bar that says what the proposals come to. */
export const importBar = (page: Page): Locator =>
  page.getByRole('region', { name: importTexts.summary })

/** What brings in all that was decided. */
export const applyButton = (page: Page): Locator =>
  importBar(page).getByRole('button', { name: importTexts.apply })
