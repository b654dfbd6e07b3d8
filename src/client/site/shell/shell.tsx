import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { fullName } from '#contract/person/person.ts'
import { texts } from '#contract/texts/site.ts'
import { usePerson, useSettings } from '#client/data/overlay.ts'
import { personQuery, settingsQuery } from '#client/data/queries.ts'
import { isSomebody, useSession } from '#client/data/session.ts'
import { lazyInBrowser } from '#client/site/lazy-in-browser.tsx'
import { TakenOver } from '#client/site/taken-over.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { MoreSheet } from './more-sheet.tsx'
import { splitPlaces } from './navigation.ts'
import { TabBar } from './tab-bar.tsx'

const OfflineParts = lazyInBrowser(() =>
  import('#client/offline/offline-parts.tsx').then((file) => file.OfflineParts),
)
// Only a signed-in browser, or one about to sign in, ever asks for this code.
const OwnerSprite = lazyInBrowser(() =>
  import('#client/login/owner-sprite.tsx').then((file) => file.OwnerSprite),
)

interface ShellProps {
  /** On solo forms a phone shows the form's buttons in place of the tab bar. */
  readonly isSolo?: boolean
  readonly children: ReactNode
}

export function Shell({ isSolo = false, children }: ShellProps) {
  const person = usePerson(useSuspenseQuery(personQuery).data)
  const settings = useSettings(useSuspenseQuery(settingsQuery).data)
  const { inBar, behindMore } = splitPlaces(settings)
  const name = fullName(person)
  const isIn = isSomebody(useSession())
  return (
    <>
      <a className="skip" href="#contenido">
        {texts.skip}
      </a>
      <Header name={name} settings={settings} />
      <OfflineParts />
      <main id="contenido" className={isSolo ? 'solo' : undefined}>
        <div className="wrap">{children}</div>
      </main>
      <Footer name={name} settings={settings} />
      <TabBar places={inBar} behindMore={behindMore} />
      <MoreSheet places={behindMore} />
      {(isSolo || isIn) && <OwnerSprite />}
      <TakenOver />
    </>
  )
}
