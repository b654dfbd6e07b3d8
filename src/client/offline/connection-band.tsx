import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import { fill } from '#contract/text.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { texts } from '#contract/texts/site.ts'
import { useQueueNote } from '#client/data/queue-note.ts'
import { isAdmin, useSession } from '#client/data/session.ts'
import { connection, type Connection } from '#client/browser/connection.ts'
import { keptSince } from '#client/browser/early/kept-page.ts'
import { keeping } from '#client/browser/keeping.ts'
import { part } from '#client/data/part.ts'
import { Icon, Sprite } from '#client/ui/icon.tsx'
import { isAsking, isPartMissing, retryParts } from './missing-parts.ts'
import { useOwnersPartsKept } from './owner-parts.ts'
import { agoText } from '#client/ui/age-text.ts'
import { offlineSymbols } from '#client/ui/offline-symbols.ts'
import { useNow } from '#client/ui/use-now.ts'
import { useStore } from '#client/ui/store.ts'

/** How often the band looks how old the copy is, in milliseconds. */
const nowEveryMs = 1_000

/** How long after a finger is up its click may still be on its way, in milliseconds. */
const afterPressMs = 300
const presses = ['pointerdown', 'pointerup', 'pointercancel']

// Only a signed-in browser ever asks for this code, and its header has it already.
const SendingWords = part(() =>
  import('#client/owner/shell/owner-tools.tsx').then((file) => file.SendingWords),
)
// Only a device with changes of the owner's on it.
const QueueBand = part(() =>
  import('#client/owner/shell/owner-tools.tsx').then((file) => file.QueueBand),
)
const OwnerBand = part(() =>
  import('#client/owner/shell/owner-tools.tsx').then((file) => file.OwnerBand),
)

/**
 * The band under the header: the most urgent of what there is to say of this device's room, the line to the server, the
 * changes that wait for the owner, and a browser that keeps nothing.
 */
export function ConnectionBand() {
  const band = useBand()
  return (
    // There from the start, so that screen readers hear of what comes into it.
    <div role="status" ref={keepHeightWhilePressed}>
      {band}
    </div>
  )
}

/** Keeps the page where it is while something is pressed: a band that pushed it away would take the press with it. */
function keepHeightWhilePressed(box: HTMLElement | null) {
  let timer: ReturnType<typeof setTimeout>
  const onPress = ({ type }: Event) => {
    clearTimeout(timer)
    if (type !== 'pointerdown') {
      timer = setTimeout(() => box?.removeAttribute('style'), afterPressMs)
    } else if (box) {
      box.style.cssText = `height:${box.getBoundingClientRect().height}px;overflow:clip`
    }
  }
  for (const event of presses) addEventListener(event, onPress, true)
  return () => {
    for (const event of presses) removeEventListener(event, onPress, true)
  }
}

/** At most one: red before amber before blue, but for a failed backup, which waits until the line and the page are well. */
function useBand(): ReactNode {
  // The server drew the page, so it was connected then.
  const state = useStore(connection, 'online')
  const keeps = useStore(keeping, 'kept')
  const { changes } = useQueueNote()
  const isMissing = useStore(isPartMissing, false)
  const session = useSession()
  // There the form itself says what waits for it.
  const isLogin = useLocation({ select: ({ pathname }) => pathname === '/login' })
  const isOwner = isAdmin(session)
  if (keeps === 'full' && isOwner) {
    return (
      <Band tone="bad-tone" icon="warn">
        {offlineTexts.littleRoom}
      </Band>
    )
  }
  if (state === 'offline' && keeps !== 'kept') {
    return <Band icon="warn">{offlineTexts.offlineUnkept}</Band>
  }
  if (state !== 'online') return <LineBand state={state} isOwner={isOwner} />
  if (isMissing) return <MissingBand />
  if (changes > 0 && session.token === undefined && !isLogin) {
    return (
      <Suspense fallback={null}>
        <QueueBand changes={changes} />
      </Suspense>
    )
  }
  const others =
    keeps === 'kept' ? null : (
      <Band tone="info-tone" icon="info">
        {offlineTexts.nothingKept}
      </Band>
    )
  if (!isOwner) return others
  return (
    <Suspense fallback={others}>
      <OwnerBand>{others}</OwnerBand>
    </Suspense>
  )
}

/** Says that something which belongs on the page did not come, and asks for it again. */
function MissingBand() {
  const isBusy = useStore(isAsking, false)
  const retry = (
    <button type="button" aria-busy={isBusy} onClick={() => void retryParts()}>
      {texts.retry}
    </button>
  )
  return (
    <Band icon="warn" action={retry}>
      {offlineTexts.partMissing}
    </Band>
  )
}

interface LineBandProps {
  readonly state: Exclude<Connection, 'online'>
  readonly isOwner: boolean
}

/** Says that the line is down, that what is shown is a copy, and for a while that it is back. */
function LineBand({ state, isOwner }: LineBandProps) {
  const isBack = state === 'back'
  const mayEdit = useOwnersPartsKept() && isOwner
  return (
    <>
      <Sprite symbols={offlineSymbols} />
      <Band tone={isBack ? 'back' : undefined} icon={isBack ? 'wifi' : 'cloud'}>
        {isBack && isOwner ? (
          <Suspense fallback={null}>
            <SendingWords />
          </Suspense>
        ) : (
          wordsOf(state, mayEdit)
        )}
      </Band>
    </>
  )
}

interface BandProps {
  /** Amber where there is none. */
  readonly tone?: 'back' | 'bad-tone' | 'info-tone' | undefined
  readonly icon: string
  /** What the person can do about it. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

function Band({ tone, icon, action, children }: BandProps) {
  return (
    <div className={tone ? `net-band ${tone}` : 'net-band'}>
      <Icon name={icon} />
      <p>{children}</p>
      {action}
    </div>
  )
}

function wordsOf(state: Exclude<Connection, 'online'>, mayEdit: boolean): ReactNode {
  if (state === 'back') return offlineTexts.back
  const ago = <Ago words={state === 'saved' ? ' {ago}' : offlineTexts.savedAgo} />
  if (state === 'saved')
    return (
      <>
        {offlineTexts.savedCopy}
        {ago}
      </>
    )
  const { offline, offlineOwner, offlineVisitor } = offlineTexts
  return (
    <>
      {offline}
      {ago} {mayEdit ? offlineOwner : offlineVisitor}
    </>
  )
}

/** How old the page's oldest copy is; nothing under a minute. */
function Ago({ words }: { readonly words: string }) {
  const now = useNow(nowEveryMs)
  // Once all that stands in a page that the worker had kept was read anew, its age says nothing any more.
  const shown = useQueryClient().getQueryCache().findAll({ type: 'active' })
  const drawn = shown.some(({ state }) => state.isInvalidated) && keptSince()
  const kept = connection.copies().map(Date.parse).filter(Number.isFinite)
  const ago = agoText(now - Math.min(drawn || now, ...kept))
  // That time goes by is no news.
  return <span aria-live="off">{ago && fill(words, { ago })}</span>
}
