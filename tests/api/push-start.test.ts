import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { freshFolder } from '#tests/support/database.ts'
import { serverEntry } from '#tests/support/server-entries.ts'
import { startServer } from '#tests/support/server-process.ts'

const entry = serverEntry('calls-server')

vi.setConfig({ testTimeout: 60_000 })

test.each([
  [
    'a subject nobody can write to',
    { VAPID_SUBJECT: 'lucia' },
    '',
    /VAPID_SUBJECT debe ser mailto:/,
  ],
  ['half of the keys', { VAPID_PRIVATE_KEY: 'x' }, '', /VAPID_PRIVATE_KEY van juntas/],
  [
    'a file of keys that is broken',
    {},
    '{"publicKey":',
    /vapid\.json no hay un par de claves VAPID/,
  ],
] as const)('with %s the server says so and does not start', async (_, env, kept, reason) => {
  const dataDir = await freshFolder()
  if (kept !== '') await writeFile(join(dataDir, 'vapid.json'), kept)
  const start = startServer({ ...env, DATA_DIR: dataDir }, entry)
  await expect(start).rejects.toThrow(/stopped \(1\) before it listened/)
  await expect(start).rejects.toThrow(reason)
})
