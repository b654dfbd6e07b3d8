import {
  activate,
  ensureInitialized,
  fetchAndActivate,
  getAll,
  getRemoteConfig,
  onConfigUpdate,
  type RemoteConfig,
} from 'firebase/remote-config'
import { logProblem } from '#client/browser/early/log.ts'
import { firebaseApp } from './app.ts'

/** Texts by parameter, as they were published at Firebase; what is not published is absent. */
export type Published = Readonly<Record<string, string>>

const answersWithinMs = 10_000

/**
 * Tells `onNews` of the published parameters: of those the browser still knows, of those Firebase answers when the last
 * answer is older than `freshMs`, and of every change from then on. Never rejects: without Firebase nothing is told.
 */
export async function followRemoteConfig(
  freshMs: number,
  onNews: (published: Published) => void,
): Promise<void> {
  try {
    const config = getRemoteConfig(firebaseApp())
    config.settings.minimumFetchIntervalMillis = freshMs
    config.settings.fetchTimeoutMillis = answersWithinMs
    await ensureInitialized(config)
    onConfigUpdate(config, {
      next: () => void activate(config).then(() => onNews(publishedIn(config))),
      error: (cause) => logProblem('Firebase does not tell of new parameters', cause),
      complete: () => undefined,
    })
    await fetchAndActivate(config)
    onNews(publishedIn(config))
  } catch (cause) {
    logProblem('Firebase does not answer with its parameters', cause)
  }
}

function publishedIn(config: RemoteConfig): Published {
  const values = Object.entries(getAll(config))
  return Object.fromEntries(
    values
      .filter(([, value]) => value.getSource() === 'remote')
      .map(([key, value]) => [key, value.asString()]),
  )
}
