import { focusManager, type QueryClient } from '@tanstack/react-query'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { settingsQuery } from './queries.ts'

/**
 * Has an open page ask for the settings again and again, as often as they say themselves; returns how to stop. A page that
 * nobody sees waits: it asks anyway as soon as it is seen.
 */
export function refreshSettings(queryClient: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    const values = queryClient.getQueryData(settingsQuery.queryKey) ?? defaultSettings
    timer = setTimeout(ask, Number(values.config_refresh_minutes) * 60_000)
  }
  const ask = () => {
    if (focusManager.isFocused()) {
      void queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey })
    }
    wait()
  }
  wait()
  return () => clearTimeout(timer)
}
