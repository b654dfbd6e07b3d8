import { withAge } from '#contract/settings/age.ts'
import { isPrivate, ownDefaults, ownKeys } from '#contract/settings/defaults.ts'
import { parseSetting, parseSettings } from '#contract/settings/kinds.ts'
import type { OwnKey, OwnSettings, PrivateKey, SettingValues } from '#contract/settings/settings.ts'
import { raiseRevision } from './revisions.ts'
import type { Executor } from './tables.ts'

/** Every setting's value as everybody reads it; one never written has its default. */
export async function readSettings(x: Executor, now = new Date()): Promise<SettingValues> {
  const rows = await x.selectFrom('setting').selectAll().execute()
  const { birth_date: birth, ...written } = Object.fromEntries(
    rows.map(({ key, value }) => [key, value]),
  )
  return withAge(parseSettings(written), parseSetting('birth_date', birth) ?? '', now)
}

/** What only the owner reads of the settings. */
export async function readPrivate(x: Executor, key: PrivateKey): Promise<string> {
  const row = await x
    .selectFrom('setting')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value ?? ownDefaults[key]
}

/** Writes the settings named in the patch; one that is set to its default is not kept, and follows the default from then on. */
export async function writeSettings(x: Executor, patch: Partial<SettingValues>): Promise<void> {
  await raiseRevision(x, 'settings')
  await putSettings(x, patch)
}

async function putSettings(x: Executor, patch: Partial<OwnSettings>): Promise<void> {
  for (const key of ownKeys) {
    const value = patch[key]
    if (value === ownDefaults[key]) {
      await x.deleteFrom('setting').where('key', '=', key).execute()
    } else if (value !== undefined) {
      await x
        .insertInto('setting')
        .values({ key, value })
        .onConflict((c) => c.column('key').doUpdateSet({ value }))
        .execute()
    }
  }
}

interface SettingChange {
  readonly key: OwnKey
  readonly patch: Partial<OwnSettings>
  readonly now: Date
  /** Shown the present value before it is replaced; throws to keep it. */
  readonly mayReplace: (current: string) => Promise<void>
}

/** Writes one setting in place of a value that it may replace; resolves to what it is then. */
export async function writeSetting(
  x: Executor,
  { key, patch, now, mayReplace }: SettingChange,
): Promise<string> {
  await raiseRevision(x, 'settings')
  await mayReplace(await readSetting(x, key, now))
  await putSettings(x, patch)
  return readSetting(x, key, now)
}

/** One setting's value as its reader gets it. */
export async function readSetting(x: Executor, key: OwnKey, now: Date): Promise<string> {
  return isPrivate(key) ? readPrivate(x, key) : (await readSettings(x, now))[key]
}
