import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { durationsOf, offerRetryAfterMs } from '#contract/durations.ts'
import { pageTitle } from '#contract/pages.ts'
import { texts } from '#contract/texts/site.ts'
import { useSettings } from '#client/data/overlay.ts'
import { personQuery, settingsQuery } from '#client/data/queries.ts'
import { getSession, isAdmin, onSession } from '#client/data/session.ts'
import { Button } from '#client/ui/button.tsx'
import { lazyInBrowser } from './lazy-in-browser.tsx'
import { Loading } from './loading.tsx'

// The first paint shows no snackbar; the code is asked for as soon as the page runs, so that it is there before it is
// needed.
const Snackbars = lazyInBrowser(() =>
  import('#client/ui/snackbars.tsx').then((file) => file.Snackbars),
)

/** Draws nothing but the wait until the profile is there. */
export function Root() {
  const { data: person } = useQuery(personQuery)
  const settings = useSettings(useQuery(settingsQuery).data)
  const { pathname } = useLocation()
  const title = person && pageTitle(pathname, person)
  useEffect(() => {
    if (title) document.title = title
  }, [title])
  useEffect(() => {
    // As the document has it from its start: hydration knows nobody yet, and would show what waits for her for a moment.
    const mark = () => {
      document.documentElement.classList.toggle('owner-mode', isAdmin(getSession()))
    }
    mark()
    return onSession(mark)
  }, [])
  return (
    <>
      {person && settings ? <Outlet /> : <Boot />}
      <Snackbars label={texts.notices} closeLabel={texts.close} times={durationsOf(settings)} />
    </>
  )
}

/** Offers to ask again after a while. */
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
