import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { fullName } from '#contract/person.ts'
import { texts } from '#contract/texts.ts'
import { personQuery, settingsQuery } from '#client/data/queries.ts'
import { ConnectionBand } from './connection-band.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { MoreSheet } from './more-sheet.tsx'
import { splitPlaces } from './navigation.ts'
import { TabBar } from './tab-bar.tsx'

interface ShellProps {
  /** On forms of their own phones show the form's buttons where the tab bar would be. */
  readonly isSolo?: boolean
  readonly children: ReactNode
}

/** What stands around a page's content: header, footer, tab bar and the sheet behind it. */
export function Shell({ isSolo = false, children }: ShellProps) {
  const { data: person } = useSuspenseQuery(personQuery)
  const { data: settings } = useSuspenseQuery(settingsQuery)
  const { inBar, behindMore } = splitPlaces(settings)
  const name = fullName(person)
  return (
    <>
      <a className="skip" href="#contenido">
        {texts.skip}
      </a>
      <Header name={name} settings={settings} />
      <ConnectionBand />
      <main id="contenido">
        <div className="wrap">{children}</div>
      </main>
      {!isSolo && <Footer name={name} settings={settings} />}
      {!isSolo && <TabBar places={inBar} />}
      <MoreSheet places={behindMore} />
    </>
  )
}
