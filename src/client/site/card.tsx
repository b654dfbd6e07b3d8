import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { encode } from 'uqr'
import { siteAddressKey } from '#contract/pages.ts'
import { fullName } from '#contract/person/person.ts'
import { fill } from '#contract/text.ts'
import { cardTexts } from '#contract/texts/card.ts'
import { texts } from '#contract/texts/site.ts'
import { vcardOf } from '#contract/person/vcard.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { keepAwake } from '#client/browser/wake-lock.ts'
import { usePerson, useSettings } from '#client/data/overlay.ts'
import { personQuery, settingsQuery } from '#client/data/queries.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Icon, Sprite, type Symbols } from '#client/ui/icon.tsx'
import { showNotice } from '#client/ui/notices.ts'
import { useStore } from '#client/ui/store.ts'
import { TakenOver } from './taken-over.tsx'

/** Lucide outlines (ISC), which no other page uses. */
const symbols: Symbols = {
  phone: 'M7 2h10a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zM12 18h.01',
  share: 'M12 2v13M16 6l-4-4-4 4M4 12v8a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-8',
  'user-add':
    'M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M5 7a4 4 0 1 0 8 0a4 4 0 1 0-8 0zM19 8v6M22 11h-6',
}

export function Card() {
  const person = usePerson(useSuspenseQuery(personQuery).data)
  const settings = useSettings(useSuspenseQuery(settingsQuery).data)
  const address = useSiteAddress()
  const name = fullName(person)
  const contact = vcardOf({ person, settings, address })
  return (
    <main id="contenido" className="card-main">
      <Sprite symbols={symbols} />
      <div className="vcard">
        <Link className="icon-btn close" to="/" aria-label={texts.close} title={texts.close}>
          <Icon name="x" />
        </Link>
        <Code address={address} />
        <div className="who">
          <h1>{name}</h1>
          {person.fields['title'] && <p className="role">{person.fields['title']}</p>}
          <p>{hostOf(address)}</p>
        </div>
        <div className="acts">
          {/* The file travels in the link, so that it is there without a connection and without scripts. */}
          <a
            className={buttonClass()}
            href={`data:text/vcard;charset=utf-8,${encodeURIComponent(contact)}`}
            download={`${name}.vcf`}
          >
            <Icon name="user-add" />
            {cardTexts.save}
          </a>
          <Share name={name} address={address} />
        </div>
        <Awake />
      </div>
      <TakenOver />
    </main>
  )
}

const hostOf = (address: string) => address.replace(/^https?:\/\//, '')

/** The server knows the site's address; a page that it did not draw uses the browser's own. */
function useSiteAddress(): string {
  return useQueryClient().getQueryData<string>(siteAddressKey) ?? location.origin
}

/** The quiet zone around a code, in modules: scanners need it to find the code. */
const quiet = 4

function Code({ address }: { readonly address: string }) {
  const { size, data } = encode(address, { ecc: 'M', border: 0 })
  const d = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  const side = size + 2 * quiet
  return (
    <div
      className="qr"
      role="img"
      aria-label={fill(cardTexts.codeOf, { address: hostOf(address) })}
    >
      <svg
        viewBox={`${-quiet} ${-quiet} ${side} ${side}`}
        fill="currentColor"
        shapeRendering="crispEdges"
        aria-hidden="true"
      >
        <path d={d} />
      </svg>
    </div>
  )
}

interface ShareProps {
  readonly name: string
  readonly address: string
}

const sharing = { get: () => 'share' in navigator, subscribe: () => () => undefined }

/** Only where the browser can share. */
function Share({ name, address }: ShareProps) {
  const canShare = useStore(sharing, false)
  if (!canShare) return null
  const share = async () => {
    try {
      await navigator.share({ title: name, url: address })
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return
      logProblem('The card could not be shared', error)
      void showNotice('error-snackbar', fill(cardTexts.notShared, { address: hostOf(address) }))
    }
  }
  return (
    <Button tone="ghost" icon="share" onClick={() => void share()}>
      {cardTexts.share}
    </Button>
  )
}

/** Says that the screen stays on only while it does; its place is there from the start, or the whole card would move. */
function Awake() {
  const [isAwake, setAwake] = useState(false)
  useEffect(() => keepAwake(setAwake), [])
  return (
    <p className="awake">
      {isAwake ? (
        <>
          <Icon name="phone" />
          {cardTexts.awake}
        </>
      ) : (
        '\u{a0}'
      )}
    </p>
  )
}
