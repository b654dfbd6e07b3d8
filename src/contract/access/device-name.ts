import { fill } from '../text.ts'
import { noticeTexts } from '../texts/inbox.ts'

// The first that matches decides: Edge also calls itself Chrome, Chrome also Safari, Android also Linux.
const browsers = [
  [/Edg/, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS|Chromium/, 'Chrome'],
  [/Safari/, 'Safari'],
] as const
const systems = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS/, 'Mac'],
  [/Linux/, 'Linux'],
] as const

interface Described {
  readonly userAgent: string
  /** Unknown to servers: an iPad is a Mac to them. */
  readonly maxTouchPoints?: number
}

/** How the owner's lists name a device: its browser and its system. */
export function deviceName({ userAgent, maxTouchPoints = 0 }: Described): string {
  const named = (list: readonly (readonly [RegExp, string])[]) =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = named(systems)
  // Newer iPads call themselves Macs, but no Mac has a touch screen.
  const isPad = system === 'Mac' && maxTouchPoints > 1
  return fill(noticeTexts.deviceName, {
    browser: named(browsers) ?? '?',
    system: isPad ? 'iPad' : (system ?? '?'),
  })
}
