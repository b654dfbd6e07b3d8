import type { QueryClient } from '@tanstack/react-query'
import { usableSettings } from '#contract/settings/kinds.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import type { SettingValues } from '#contract/settings/settings.ts'
import { localMemory } from '#client/browser/early/web-storage.ts'
import { getStored, setStored } from '#client/browser/device-storage.ts'
import { createStore, useStore } from '#client/ui/store.ts'
import { readSiteFromApi, settingsQuery } from './queries.ts'

/** Tells of the published parameters; `freshMs` is how old its last answer may be. */
type RemoteSource = (freshMs: number, onNews: (published: unknown) => void) => Promise<void>

/** The copy that is shown before the source has answered, and without a connection. */
const copyName = 'remote-settings'
const none: Partial<SettingValues> = {}
const remote = createStore(none)

/** Empty in a site that keeps its settings itself. */
export function useRemoteSettings(): Partial<SettingValues> {
  return useStore(remote, none)
}

/** Anything unreadable counts as no copy. */
function keptCopy(): unknown {
  try {
    return JSON.parse(getStored(copyName) || 'null') ?? undefined
  } catch {
    return undefined // damaged by hand or by another version: the source tells anew
  }
}

/** Lays the values that Remote Config publishes over the site's own settings, now and whenever they change. */
export async function followRemoteSettings(
  queryClient: QueryClient,
  source: RemoteSource,
): Promise<void> {
  const { queryKey } = settingsQuery
  const read = async () => {
    const own = await readSiteFromApi(queryKey)
    return { ...(own as SettingValues), ...remote.get() }
  }
  queryClient.setQueryDefaults(queryKey, { queryFn: read })
  const query = queryClient.getQueryCache().find({ queryKey })
  query?.setOptions({ ...query.options, queryFn: read })
  // A reading that is under way lacks the published values and would overwrite them.
  if (query?.state.fetchStatus === 'fetching') {
    void queryClient.invalidateQueries({ queryKey, refetchType: 'all' })
  }

  const show = (published: unknown) => {
    const next = usableSettings(published)
    const isGone = Object.keys(remote.get()).some((key) => !Object.hasOwn(next, key))
    queryClient.setQueryData(queryKey, (old) => old && { ...old, ...next })
    // A parameter that is no longer published falls back to the site's own value, which only the server knows.
    if (isGone) void queryClient.invalidateQueries({ queryKey, refetchType: 'all' })
    if (next.default_theme !== undefined) showDefaultTheme(next.default_theme)
    remote.set(next)
  }
  const kept = keptCopy()
  if (kept !== undefined) show(kept)
  const { config_refresh_minutes: minutes } = queryClient.getQueryData(queryKey) ?? defaultSettings
  await source(Number(minutes) * 60_000, (published) => {
    setStored(copyName, JSON.stringify(published))
    show(published)
  })
}

/** Does nothing where the visitor has chosen a theme, like the page's inline script. */
function showDefaultTheme(theme: string): void {
  if (localMemory.get('theme') !== undefined) return
  const root = document.documentElement
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme
  if (theme === 'device') {
    root.dataset['theme'] = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  }
}
