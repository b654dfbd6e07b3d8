import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { createStore, useStore } from '#client/ui/store.ts'

test('who follows a store hears of every change until the following ends', () => {
  const store = createStore(1)
  const heard: number[] = []
  const stop = store.subscribe(() => heard.push(store.get()))
  store.set(2)
  store.set(3)
  stop()
  store.set(4)
  expect(heard).toEqual([2, 3])
  expect(store.get()).toBe(4)
})

test('the first to follow a store is told of, and again once nobody did', () => {
  const onFollowed = vi.fn<() => void>()
  const store = createStore('', onFollowed)
  const stops = [1, 2].map(() => store.subscribe(() => {}))
  expect(onFollowed).toHaveBeenCalledTimes(1)
  for (const stop of stops) stop()
  store.subscribe(() => {})
  expect(onFollowed).toHaveBeenCalledTimes(2)
})

test('the server sees what a store is to begin with, whatever it holds', () => {
  const store = createStore('changed')
  const Shown = () => useStore(store, 'at first')
  expect(renderToString(createElement(Shown))).toBe('at first')
})
