import type { TestApp } from './app.ts'

/** Puts so many old messages into the spam folder, for this reason, or into the inbox without one. */
export async function fillFolder(
  { db }: Pick<TestApp, 'db'>,
  count: number,
  spamReason = '',
): Promise<void> {
  const row = (n: number) => ({
    id: `vieja-${spamReason}-${n}`,
    name: 'Vieja',
    email: 'vieja@example.com',
    message: 'Hola',
    received_at: '2030-01-01T00:00:00.000Z',
    spam: spamReason === '' ? 0 : 1,
    spam_reason: spamReason,
    read_at: null,
  })
  for (let n = 0; n < count; n += 1000) {
    const rows = Array.from({ length: Math.min(1000, count - n) }, (_, i) => row(n + i))
    await db.insertInto('contact_message').values(rows).execute()
  }
}
