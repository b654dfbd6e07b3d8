import { v5 as digestOf } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { accessCalls, revocationNamespace } from '#contract/access/access.ts'
import { ownHeader } from '#contract/api.ts'
import { keepingDevice, refuseWrites } from '#tests/support/page-storage.ts'

/* What is noted of ended sessions by several tabs at once, until the server has heard of each. */

/** The revocations of each call that told the server. */
let told: (readonly string[])[] = []
/** Runs before the server answers. */
let meanwhile: () => Promise<void> = async () => undefined

beforeEach(() => {
  told = []
  meanwhile = async () => undefined
  keepingDevice()
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', async (url: string, { body }: { readonly body: string }) => {
    if (url !== `/api/${accessCalls.endLeft}`) throw new Error(`Nobody answers at ${url}`)
    told.push((JSON.parse(body) as { readonly revocations: readonly string[] }).revocations)
    await meanwhile()
    return new Response(null, { status: 204, headers: { [ownHeader]: '1' } })
  })
})
afterEach(() => vi.unstubAllGlobals())

/** A tab of the device, which has modules of its own. */
async function openTab() {
  vi.resetModules()
  return import('#client/session/left-sessions.ts')
}

const revocationOf = (token: string) => digestOf(token, revocationNamespace)
const isNoted = () => localStorage.getItem('tintero-left') === '1'

test('of two tabs that end their sessions at once the server hears both', async () => {
  const [one, other] = [await openTab(), await openTab()]
  await Promise.all([one.noteLeft('a'), other.noteLeft('b')])
  await one.endLeft()
  expect(told[0]?.toSorted()).toEqual([revocationOf('a'), revocationOf('b')].toSorted())
  expect(isNoted()).toBe(false)
})

test('a tab that ends its session while another’s end is heard of is not forgotten', async () => {
  const [one, other] = [await openTab(), await openTab()]
  await one.noteLeft('a')
  await Promise.all([one.heardOf('a'), other.noteLeft('b')])
  expect(isNoted()).toBe(true)
  await other.endLeft()
  expect(told).toEqual([[revocationOf('b')]])
  expect(isNoted()).toBe(false)
})

test('the end of a session is told although the device could not note it', async () => {
  const tab = await openTab()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const refusing = refuseWrites('tintero-left')
  await tab.noteLeft('a')
  refusing.mockRestore()
  expect(await tab.endLeft('a')).toBe(true)
  expect(told).toEqual([[revocationOf('a')]])
  expect(isNoted()).toBe(false)
})

test.each([['b'], [undefined]])(
  'what is noted while the server hears of what was before is still to be told: %j',
  async (token) => {
    const [one, other] = [await openTab(), await openTab()]
    await one.noteLeft('a')
    meanwhile = () => other.noteLeft(token)
    await one.endLeft()
    expect(isNoted()).toBe(true)
    meanwhile = async () => undefined
    await one.endLeft()
    expect(told).toHaveLength(2)
    expect(isNoted()).toBe(false)
  },
)
