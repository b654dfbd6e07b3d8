import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ClientOnly, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { durationsOf, offerRetryAfterMs } from '#contract/durations.ts'
import { pageMeta } from '#contract/pages.ts'
import { texts } from '#contract/texts.ts'
import { useShownSettings } from '#client/data/outbox/shown.ts'
import { personQuery, settingsQuery } from '#client/data/queries.ts'
import { isAdmin, useSession } from '#client/data/session.ts'
import { Button } from '#client/ui/button.tsx'
import { Sprite } from '#client/ui/icon.tsx'
import { symbols } from '#client/ui/symbols.ts'
import { Loading } from './loading.tsx'

// No first paint shows one; asked for as soon as the page runs, so that it is there before it is needed.
const Snackbars = lazy(async () => ({
  default: (await import('#client/ui/snackbars.tsx')).Snackbars,
}))

/** Around every page: nothing but the wait until the profile is there, then the page, the snackbars and the symbols. */
export function Root() {
  const { data: person } = useQuery(personQuery)
  const settings = useShownSettings(useQuery(settingsQuery).data)
  const pathname = useLocation({ select: (location) => location.pathname })
  const title = person && pageMeta(pathname, person).title
  useEffect(() => {
    if (title) document.title = title
  }, [title])
  const isOwner = isAdmin(useSession())
  useEffect(() => {
    document.documentElement.classList.toggle('owner-mode', isOwner)
  }, [isOwner])
  return (
    <>
      {person && settings ? <Outlet /> : <Boot />}
      <ClientOnly>
        <Suspense fallback={null}>
          <Snackbars label={texts.notices} closeLabel={texts.close} times={durationsOf(settings)} />
        </Suspense>
      </ClientOnly>
      <Sprite symbols={symbols} />
    </>
  )
}

/** The wait for the profile; after a while it offers to ask again. */
function Boot() {
  const queryClient = useQueryClient()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), offerRetryAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Loading>
      {isLate && (
        <Button tone="ghost" icon="sync" onClick={() => void queryClient.resetQueries()}>
          {texts.retry}
        </Button>
      )}
    </Loading>
  )
}
