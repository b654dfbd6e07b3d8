import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

const takes = 'https://formularios.ejemplo/a1'

/** Sends a message from a build that names another server for them, which answers with this. */
async function sendTo(answer: () => Response) {
  vi.stubEnv('VITE_CONTACT_URL', takes)
  vi.resetModules()
  const asked: { readonly url: string; readonly init: RequestInit }[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push({ url, init })
    return answer()
  })
  const { sendMessage } = await import('#client/outbox/send-contact.ts')
  const { ApiError } = await import('#client/data/api.ts')
  const outcome = await sendMessage({ fields: { name: 'Ana' }, key: 'k' }).then(
    () => 'sent',
    (error: unknown) => (error instanceof ApiError ? 'refused' : 'no answer'),
  )
  return { outcome, asked }
}

const html = { 'Content-Type': 'text/html; charset=utf-8' }

test.each([
  ['JSON of 200', () => Response.json({ ok: true }), 'sent'],
  ['an empty 204', () => new Response(null, { status: 204 }), 'sent'],
  ['a page of 200', () => new Response('<html>', { headers: html }), 'no answer'],
  ['a page of 403', () => new Response('<html>', { status: 403, headers: html }), 'no answer'],
  ['JSON of 422', () => Response.json({ error: 'email' }, { status: 422 }), 'refused'],
])('%s of another server that takes the messages', async (_, answer, expected) => {
  const { outcome, asked } = await sendTo(answer)
  expect(outcome).toBe(expected)
  expect(asked).toMatchObject([{ url: takes, init: { redirect: 'error', credentials: 'omit' } }])
})
