import type { MiddlewareHandler } from 'hono'
import type { SettingValues } from '#contract/settings/settings.ts'
import { readSettings } from '../db/settings.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from './env.ts'
import { Problem } from '../problem.ts'

/** Devices with queued changes ask again after this many seconds. */
const askAgainS = 60

/** Throws 503 while the site is read-only; the settings stay writable, or there would be no way back. */
export function refuseInMaintenance({ maintenance_readonly: isOn }: SettingValues): void {
  if (isOn !== 'true') return
  throw new Problem('mantenimiento', { headers: { 'retry-after': String(askAgainS) } })
}

/** Middleware that refuses what writes while the owner has put the site into maintenance. */
export function rejectWhenReadOnly({ db }: Pick<Services, 'db'>): MiddlewareHandler<AppEnv> {
  return async (_, next) => {
    refuseInMaintenance(await readSettings(db))
    await next()
  }
}
