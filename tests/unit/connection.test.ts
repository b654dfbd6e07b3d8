import { expect, test, vi } from 'vitest'
import { createConnection } from '#client/browser/connection.ts'

/** When the server gave what is kept. */
const saved = 'Sun, 22 Nov 2026 10:00:00 GMT'

test('losing the network shows at once, and its return for four seconds', () => {
  vi.useFakeTimers()
  const line = createConnection(true)
  const seen: string[] = []
  line.subscribe(() => seen.push(line.get()))
  line.network(false)
  line.network(true)
  vi.advanceTimersByTime(3_999)
  expect(seen).toEqual(['offline', 'back'])
  vi.advanceTimersByTime(1)
  expect(seen).toEqual(['offline', 'back', 'online'])
  vi.useRealTimers()
})

test('an answer from the copy says that the server is silent, until it answers again', () => {
  const line = createConnection(true)
  line.answered('skill', saved)
  expect(line.get()).toBe('saved')
  line.answered('skill', null)
  expect(line.get()).toBe('back')
})

test('what a copy answered is known with its moment, until the server answers', () => {
  const line = createConnection(false)
  line.answered('skill', saved)
  expect(line.copies()).toEqual([saved])
  line.answered('skill', null)
  expect(line.copies()).toEqual([])
})

test('a copy that the page shows no more says nothing of the line, until it is shown again', () => {
  const line = createConnection(true)
  line.shows(['skill', 'config'])
  line.answered('skill', saved)
  line.shows(['config'])
  expect(line.get()).toBe('online')
  expect(line.copies()).toEqual([])
  line.shows(['skill', 'config'])
  expect(line.get()).toBe('saved')
  expect(line.copies()).toEqual([saved])
})

test('that nothing answers leaves the age of what was kept', () => {
  const line = createConnection(true)
  line.answered('skill', saved)
  line.answered('skill', '')
  expect(line.copies()).toEqual([saved])
})

test('another answer does not hide that one came from the copy', () => {
  const line = createConnection(true)
  line.answered('skill', saved)
  line.answered('config', null)
  expect(line.get()).toBe('saved')
})

test('without a network an answer from the copy changes nothing', () => {
  const line = createConnection(false)
  line.answered('skill', saved)
  expect(line.get()).toBe('offline')
})

test('an answer that was on its way when the network went is no good news', () => {
  const line = createConnection(true)
  line.network(false)
  line.answered('skill', null)
  expect(line.get()).toBe('offline')
})

test('losing the network again ends the good news', () => {
  vi.useFakeTimers()
  const line = createConnection(false)
  line.network(true)
  line.network(false)
  vi.advanceTimersByTime(10_000)
  expect(line.get()).toBe('offline')
  vi.useRealTimers()
})

test('an ordinary answer on an ordinary line tells nobody', () => {
  const line = createConnection(true)
  let told = 0
  line.subscribe(() => told++)
  line.answered('skill', null)
  line.network(true)
  expect(told).toBe(0)
})
