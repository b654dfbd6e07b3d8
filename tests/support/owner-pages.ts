import type { Frame } from 'playwright/test'
import { ownerPaths, publicPaths } from '#tests/support/page-paths.ts'
import { sections } from '#contract/sections/index.ts'
import type { Site } from './site.ts'

/** Every address the owner opens; the forms of entries are those of the last entry of their section. */
export async function ownerAddresses(site: Site): Promise<readonly string[]> {
  const addressOf = async (pattern: string) => {
    const section = sections.find(({ editPath }) => editPath === pattern)
    if (!section) return pattern.replace('$id', '1')
    const entries: unknown = (await site.call('GET', section.key, { token: null })).json
    const last = (entries as readonly { readonly id: string }[]).at(-1)
    return pattern.replace('$id', last?.id ?? '')
  }
  return Promise.all([...publicPaths, ...ownerPaths].map(addressOf))
}

/** Leads the application in the frame to another of its pages, as its links do, and waits until the owner's part is there. */
export async function leadTo(frame: Frame, path: string): Promise<void> {
  await frame.evaluate((address) => {
    if (location.pathname === address) return
    document.querySelector('main h1')?.setAttribute('data-left', '')
    history.pushState({}, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await frame.locator('main h1:not([data-left])').waitFor()
  const section = sections.find((candidate) => candidate.path === path)
  if (section) await frame.locator('main .item .edit').first().waitFor()
}
