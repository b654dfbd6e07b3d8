import { focusManager, type QueryClient } from '@tanstack/react-query'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { settingsQuery } from '#client/data/queries.ts'

/**
 * Asks for the settings as often as they say themselves, and returns how to stop. A hidden page waits: it asks as soon
 * as it is seen.
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
