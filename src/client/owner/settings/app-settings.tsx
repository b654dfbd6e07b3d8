import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { fill, locale } from '#contract/text.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { dropCopy } from '#client/offline/persist.ts'
import { forgetHidden } from '#client/session/hidden-copy.ts'
import {
  install,
  installing,
  isStandalone,
  noInstall,
  showInstallOffer,
} from '#client/offline/install.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { usedBytes } from '#client/browser/saved-copy.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Sprite } from '#client/ui/icon.tsx'
import { offlineSymbols } from '#client/ui/offline-symbols.ts'
import { useStore } from '#client/ui/store.ts'

/** The application on this device: putting it on the home screen, its version, and the room that its copies take. */
export function AppSettings() {
  return (
    <div className="card">
      <InstallRow />
      <CardRow />
      <CopyRows />
      <div className="setting">
        <b>{ownerTexts.version}</b>
        <span className="mono">{import.meta.env.VITE_VERSION}</span>
      </div>
    </div>
  )
}

function InstallRow() {
  const { way } = useStore(installing, noInstall)
  const missing = isStandalone() ? ownerTexts.installed : ownerTexts.notInstallable
  return (
    <div className="setting">
      <Sprite symbols={offlineSymbols} />
      <div>
        <b>{texts.install}</b>
        <p>{way === 'none' ? missing : offlineTexts.installHint}</p>
      </div>
      {way !== 'none' && (
        <Button
          tone="ghost"
          small
          icon="download"
          onClick={() => (way === 'prompt' ? void install() : showInstallOffer(true))}
        >
          {offlineTexts.install}
        </Button>
      )}
    </div>
  )
}

function CardRow() {
  return (
    <div className="setting">
      <div>
        <b>{texts.card}</b>
        <p>{ownerTexts.cardHint}</p>
      </div>
      <Link className={buttonClass({ tone: 'ghost', small: true })} to="/card">
        {ownerTexts.openCard}
      </Link>
    </div>
  )
}

function CopyRows() {
  const used = useQuery({
    queryKey: ['used-bytes'],
    queryFn: async () => (await usedBytes()) ?? null,
  })
  const [notice, setNotice] = useState('')
  const drop = async () => {
    try {
      await Promise.all([dropCopy(), forgetHidden()])
      setNotice(ownerTexts.copyDropped)
    } catch (cause) {
      logProblem('The kept copy could not be deleted', cause)
      setNotice(ownerTexts.copyNotDropped)
    }
    await used.refetch()
  }
  return (
    <>
      <div className="setting">
        <div>
          <b>{ownerTexts.usedSpace}</b>
          <p>{ownerTexts.usedSpaceHint}</p>
        </div>
        <span className="mono">{spaceOf(used.data)}</span>
      </div>
      <div className="setting">
        <div>
          <b>{ownerTexts.savedCopy}</b>
          <p>{ownerTexts.dropCopyHint}</p>
        </div>
        <Button tone="ghost" small icon="trash" onClick={() => void drop()}>
          {ownerTexts.dropCopy}
        </Button>
        <p className="saved" role="status">
          {notice}
        </p>
      </div>
    </>
  )
}

/** The bytes in megabytes; undefined while they are being asked for, null where the browser does not say. */
function spaceOf(bytes: number | null | undefined): string {
  if (bytes === undefined) return ''
  if (bytes === null) return ownerTexts.unknownSpace
  const n = (bytes / 1_000_000).toLocaleString(locale, { maximumFractionDigits: 1 })
  return fill(ownerTexts.megabytes, { n })
}
