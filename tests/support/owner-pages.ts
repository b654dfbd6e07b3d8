import type { Frame } from 'playwright/test'
import { binPlace } from '#contract/entries/bin.ts'
import { pages, type Page } from '#contract/pages.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { createEntry, formValues } from './entries.ts'
import { storedRows } from './queue.ts'
import type { Site } from './site.ts'

/** Every address that the owner opens while she is signed in: of the pages that everybody reads, or of her own. */
export async function ownerAddresses(
  site: Site,
  areHers: boolean | 'any' = 'any',
): Promise<readonly string[]> {
  const addresses: string[] = []
  // One after the other: a section that begins off has no entry until it is given one here.
  for (const { path, kind } of pages) {
    const isMeant = areHers === 'any' || areHers === (kind === 'owner')
    if (kind !== 'form' && isMeant) addresses.push(await addressOf(site, path))
  }
  return addresses
}

/** The address of a real page behind a pattern such as `/editExp/$id`, of the last entry of its section. */
export async function addressOf(site: Site, pattern: Page['path']): Promise<string> {
  const section = sections.find(({ path, editPath }) => [path, editPath].includes(pattern))
  return pattern.replace('$id', section ? await lastEntry(site, section) : '1')
}

async function lastEntry(site: Site, section: Section): Promise<string> {
  const last = (await storedRows(site, section.key)).at(-1)
  return last?.['id'] ?? createEntry(site, section, formValues(section, 'Una'))
}

/** Leads the application in the frame from page to page, and to each group of the settings, which is a page on a phone. */
export async function visitInTurn(
  frame: Frame,
  addresses: readonly string[],
  look: (path: string) => Promise<void>,
): Promise<void> {
  for (const path of addresses) {
    await leadTo(frame, path)
    await look(path)
    if (path !== '/settings') continue
    const links = frame.locator('.settings-nav a')
    await links.first().waitFor({ state: 'attached' })
    const groups = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    const bin = `#${binPlace}`
    await visitInTurn(
      frame,
      [...groups, bin].map((group) => `/settings${group}`),
      look,
    )
  }
}

/** Leads the application in the frame to another of its pages, as its links do, and waits until the owner's part is there. */
export async function leadTo(frame: Frame, path: string): Promise<void> {
  await frame.evaluate((address) => {
    const to = new URL(address, location.href)
    if (location.href === to.href) return
    if (location.pathname !== to.pathname) {
      document.querySelector('main h1')?.setAttribute('data-left', '')
    }
    history.pushState({}, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  const group = path.split('#')[1]
  // A phone shows the group's own heading in its place.
  const state = group ? 'attached' : 'visible'
  await frame.locator('main h1:not([data-left])').waitFor({ state })
  // What is deleted lies on a page of its own.
  if (group) await frame.locator(`#${group}.open, main:not(:has(.settings))`).first().waitFor()
  const section = sections.find((candidate) => candidate.path === path)
  if (section) await frame.locator('main .item .edit').first().waitFor()
}
