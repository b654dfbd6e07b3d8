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

/** Texts by parameter name; an unpublished parameter is absent. */
export type Published = Readonly<Record<string, string>>

const answersWithinMs = 10_000

/**
 * Calls `onNews` with the parameters the browser still knows, with Firebase's answer when the last one is older than
 * `freshMs`, and with every change from then on. Never rejects: without Firebase it calls nothing.
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
      next: () => {
        activate(config)
          .then(() => onNews(publishedIn(config)))
          .catch((cause: unknown) => logProblem('New parameters could not be taken over', cause))
      },
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
