import type { MiddlewareHandler } from 'hono'
import type { SettingValues } from '#contract/settings/settings.ts'
import { readSettings } from '../db/settings.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from './env.ts'
import { Problem } from '../problem.ts'

/** What waits on a device asks again after this many seconds. */
const askAgainS = 60

/** Throws 503 while the owner has set the site to read-only; the settings themselves stay open, or there would be no way back. */
export function refuseInMaintenance({ maintenance_readonly: isOn }: SettingValues): void {
  if (isOn !== 'true') return
  throw new Problem('mantenimiento', { headers: { 'retry-after': String(askAgainS) } })
}

/** Lets changes of the content pass unless the site is read-only. */
export function rejectWhenReadOnly({ db }: Pick<Services, 'db'>): MiddlewareHandler<AppEnv> {
  return async (_, next) => {
    refuseInMaintenance(await readSettings(db))
    await next()
  }
}
