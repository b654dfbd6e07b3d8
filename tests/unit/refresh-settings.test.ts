import { focusManager, QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { minuteMs } from '#contract/durations.ts'
import { settingsQuery } from '#client/data/queries.ts'
import { refreshSettings } from '#client/offline/refresh-settings.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'

afterEach(() => {
  vi.useRealTimers()
  focusManager.setFocused(undefined)
})

/** A page that holds these settings, and how often it took them for old. */
function openPage(minutes: string) {
  vi.useFakeTimers()
  const client = new QueryClient()
  const hold = (value: string) =>
    client.setQueryData(settingsQuery.queryKey, {
      ...defaultSettings,
      config_refresh_minutes: value,
    })
  hold(minutes)
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  return { hold, asked: () => invalidate.mock.calls.length, stop: refreshSettings(client) }
}

test('an open page asks for the settings in the interval that they name', () => {
  const { hold, asked, stop } = openPage('5')
  vi.advanceTimersByTime(5 * minuteMs - 1)
  expect(asked()).toBe(0)
  hold('10')
  vi.advanceTimersByTime(1)
  expect(asked()).toBe(1)
  vi.advanceTimersByTime(9 * minuteMs)
  expect(asked()).toBe(1)
  vi.advanceTimersByTime(minuteMs)
  expect(asked()).toBe(2)
  stop()
  vi.advanceTimersByTime(60 * minuteMs)
  expect(asked()).toBe(2)
})

test('a page that nobody sees does not ask', () => {
  const { asked, stop } = openPage('5')
  focusManager.setFocused(false)
  vi.advanceTimersByTime(20 * minuteMs)
  expect(asked()).toBe(0)
  focusManager.setFocused(true)
  vi.advanceTimersByTime(5 * minuteMs)
  expect(asked()).toBe(1)
  stop()
})
