import { randomBytes } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createImprover } from '#server/edge/compression.ts'
import { encodingsOf, type Encodings } from '#server/edge/encodings.ts'

test('what has been improved or left out is let go while more is waiting', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { improve } = createImprover({ afterMs: 0, onError: (error) => expect.fail(String(error)) })
  const seen: WeakRef<Encodings>[] = []
  let improved = 0
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const add = () => {
    const body = encodingsOf(Buffer.from(randomBytes(500).toString('hex')))
    const one = {
      plain: body.plain,
      improve: (brotli: Buffer) => {
        body.improve(brotli)
        // Before the queue is empty, as continuous editing does.
        if (improved++ < 60) add()
        else resolve()
      },
    }
    seen.push(new WeakRef(body))
    improve(`/${seen.length % 2}`, one)
  }
  add()
  add()
  await enough
  for (let i = 0; i < 5; i++) await turn()
  collect()
  expect(seen.filter((one) => one.deref() !== undefined).length).toBeLessThan(10)
})

test('what waits when nobody reads it any more is left as it is', async () => {
  const { improve, stop } = createImprover({ afterMs: 1, onError: () => undefined })
  let improved = 0
  const { promise: isImproved, resolve } = Promise.withResolvers<void>()
  const one = { plain: Buffer.from('Uno'), improve: () => void improved++ }
  improve('/uno', one)
  improve('/dos', one)
  stop()
  const other = createImprover({ afterMs: 5, onError: () => undefined })
  other.improve('/', { plain: Buffer.from('Dos'), improve: () => resolve() })
  await isImproved
  expect(improved).toBe(0)
})
