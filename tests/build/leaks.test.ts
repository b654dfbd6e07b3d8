import { expect, test } from 'vitest'
import { visitorChunks, type Chunk } from '#build/chunks.ts'
import { readBuilt } from '#tests/support/built-client.ts'

const chunks = JSON.parse(readBuilt('.vite/chunks.json')) as readonly Chunk[]
const isOwners = (module: string) => module.startsWith('src/client/owner/')
/** All that a visitor's page can load, the login among it, which anybody may open. */
const visited = [...visitorChunks(chunks, isOwners)]

test('no chunk that a visitor’s page can load holds a module of the owner’s', () => {
  const leaks = visited.flatMap(({ file, modules }) =>
    modules.filter(isOwners).map((module) => `${file}: ${module}`),
  )
  expect(leaks).toEqual([])
  // The walk found its way to what loads last.
  const modules = visited.flatMap((chunk) => chunk.modules)
  expect(modules).toContain('src/client/outbox/messages/send-or-keep.ts')
  expect(modules).toContain('src/client/offline/start.ts')
  expect(modules).toContain('src/client/login/login.tsx')
})

test('the chunks behind the doors are the owner’s', () => {
  const modules = chunks.filter((chunk) => !visited.includes(chunk))
  expect(modules.flatMap((chunk) => chunk.modules).filter(isOwners).length).toBeGreaterThan(50)
})
