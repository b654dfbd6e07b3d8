import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createThread } from '#server/thread.ts'

/** Answers each question with how many it has been asked, and fails by itself a moment later. */
const code = `
  import { parentPort } from 'node:worker_threads'
  let asked = 0
  parentPort.on('message', () => {
    parentPort.postMessage({ value: ++asked })
    setTimeout(() => { throw new Error('a moment later') }, 10)
  })
`

test('a thread that fails between two questions ends nothing, and the next one has another', async () => {
  const file = new URL(`data:text/javascript,${encodeURIComponent(code)}`)
  const ask = createThread<number>(file, { withinMs: 5000, memoryMb: 16 })
  expect(await ask('one')).toBe(1)
  await wait(200)
  expect(await ask('another')).toBe(1)
})
