import { expect, test } from 'vitest'
import { deviceName } from '#contract/access/device-name.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/156.0 Safari/537.36`, 'Chrome en Linux'],
  [
    `Mozilla/5.0 (Linux; Android 16) ${webkit} Chrome/156.0 Mobile Safari/537.36`,
    'Chrome en Android',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/156.0 Safari/537.36 Edg/156.0`,
    'Edge en Windows',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) ${webkit} Version/26 Safari/605`,
    'Safari en Mac',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${webkit} Version/26 Safari/604`,
    'Safari en iPhone',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${webkit} CriOS/156 Safari/604`,
    'Chrome en iPhone',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox en Linux'],
  ['Lynx/2.9', '? en ?'],
])('%s is called %s', (userAgent, name) => {
  expect(deviceName({ userAgent, maxTouchPoints: 0 })).toBe(name)
})

test('an iPad that calls itself a Mac is known by its touch screen', () => {
  const userAgent = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) ${webkit} Version/26 Safari/605`
  expect(deviceName({ userAgent, maxTouchPoints: 5 })).toBe('Safari en iPad')
})
