import { afterEach, expect, test, vi } from 'vitest'
import { webStorage } from '#tests/support/page-storage.ts'

const opened: BroadcastChannel[] = []

afterEach(() => {
  for (const channel of opened.splice(0)) channel.close()
  vi.unstubAllGlobals()
})

/** A tab in which somebody is signed in with this token. */
async function openTab(token: string) {
  vi.stubGlobal('sessionStorage', webStorage({ authToken: token }))
  // A tab has modules of its own.
  vi.resetModules()
  const { getSession } = await import('#client/data/session.ts')
  const { followSessionEnd, tellSessionEnd } = await import('#client/session/session-end.ts')
  const { markUnsaved, queueInMemory } = await import('#client/data/unsaved.ts')
  getSession()
  followSessionEnd()
  return {
    token: () => getSession().token,
    isAsked: () => getSession().isExpired,
    keepInMemory: () => markUnsaved(queueInMemory, true),
    tellSessionEnd,
  }
}

/** A browser that closes its channels with the test, and counts how often a tab loads anew. */
function openBrowser() {
  const reload = vi.fn<() => void>()
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('addEventListener', vi.fn<() => void>())
  const Channel = BroadcastChannel
  vi.stubGlobal(
    'BroadcastChannel',
    class extends Channel {
      constructor(name: string) {
        super(name)
        opened.push(this)
      }
    },
  )
  return { reload }
}

test('a session ended in one tab ends in its copies, and in no other tab', async () => {
  const { reload } = openBrowser()
  const other = await openTab('other-token')
  const copy = await openTab('token')
  const first = await openTab('token')
  first.tellSessionEnd('token', false)
  await expect.poll(() => reload).toHaveBeenCalled()
  expect(copy.token()).toBeUndefined()
  expect(other.token()).toBe('other-token')
  // It tells the server first.
  expect(first.token()).toBe('token')
  expect(reload).toHaveBeenCalledOnce()
})

test('a copy that alone has changes stays and asks her to sign in again', async () => {
  const { reload } = openBrowser()
  const alone = await openTab('token')
  alone.keepInMemory()
  const first = await openTab('token')
  first.tellSessionEnd('token', false)
  await expect.poll(alone.isAsked).toBe(true)
  expect(reload).not.toHaveBeenCalled()
})

test('what the tabs say holds no word of the token', async () => {
  openBrowser()
  const { tellSessionEnd } = await openTab('token')
  const listener = new BroadcastChannel('tintero-session')
  const heard = new Promise((resolve) =>
    listener.addEventListener('message', ({ data }) => resolve(data)),
  )
  tellSessionEnd('token', false)
  expect(await heard).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
})
