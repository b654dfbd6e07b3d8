import { lazy, Suspense, useSyncExternalStore } from 'react'
import { offlineTexts } from '#contract/texts-offline.ts'
import { texts } from '#contract/texts.ts'
import { isAdmin, useSession } from '#client/data/session.ts'
import { connection, type Connection } from '#client/platform/connection.ts'
import { Icon, Sprite } from '#client/ui/icon.tsx'
import { offlineSymbols } from '#client/ui/offline-symbols.ts'

// Only a signed-in browser ever asks for this code, and its header has it already.
const SendingWords = lazy(async () => ({
  default: (await import('./owner-tools.tsx')).SendingWords,
}))

/** Says under the header that the line is down, that what is shown is a copy, and for a while that it is back. */
export function ConnectionBand() {
  // The server drew the page, so it was connected then.
  const state = useSyncExternalStore(connection.subscribe, connection.get, () => 'online' as const)
  const isOwner = isAdmin(useSession())
  const isBack = state === 'back'
  return (
    // There from the start, so that screen readers hear of what comes into it.
    <div role="status">
      {state !== 'online' && (
        <div className={isBack ? 'net-band back' : 'net-band'}>
          <Sprite symbols={offlineSymbols} />
          <Icon name={isBack ? 'wifi' : 'cloud'} />
          <p>
            {isBack && isOwner ? (
              <Suspense fallback={null}>
                <SendingWords />
              </Suspense>
            ) : (
              wordsOf(state, isOwner)
            )}
          </p>
        </div>
      )}
    </div>
  )
}

function wordsOf(state: Exclude<Connection, 'online'>, isOwner: boolean): string {
  if (state === 'back') return offlineTexts.back
  if (state === 'saved') return texts.savedCopy
  return isOwner ? offlineTexts.offlineOwner : offlineTexts.offline
}
