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
import { focusTitleAfter } from '#client/ui/lost-focus.ts'
import { offlineSymbols } from '#client/ui/offline-symbols.ts'
import { useStore } from '#client/ui/store.ts'
import { LineOutcome, SettingLine } from './setting-line.tsx'

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
    <SettingLine
      title={offlineTexts.installApp}
      hint={way === 'none' ? missing : offlineTexts.installHint}
    >
      <Sprite symbols={offlineSymbols} />
      {way !== 'none' && (
        <Button
          ref={focusTitleAfter}
          tone="ghost"
          small
          icon="download"
          onClick={() => (way === 'prompt' ? void install() : showInstallOffer(true))}
        >
          {offlineTexts.install}
        </Button>
      )}
    </SettingLine>
  )
}

function CardRow() {
  return (
    <SettingLine title={texts.card} hint={ownerTexts.cardHint}>
      <Link className={buttonClass({ tone: 'ghost', small: true })} to="/card">
        {ownerTexts.openCard}
      </Link>
    </SettingLine>
  )
}

function CopyRows() {
  const used = useQuery({
    queryKey: ['used-bytes'],
    queryFn: async () => (await usedBytes()) ?? null,
  })
  const [isDropped, setDropped] = useState<boolean>()
  const drop = async () => {
    // Equal words are read aloud again only where they were gone meanwhile.
    setDropped(undefined)
    try {
      await Promise.all([dropCopy(), forgetHidden()])
      setDropped(true)
    } catch (cause) {
      logProblem('The kept copy could not be deleted', cause)
      setDropped(false)
    }
    await used.refetch()
  }
  const words = isDropped ? ownerTexts.copyDropped : ownerTexts.copyNotDropped
  return (
    <>
      <SettingLine title={ownerTexts.usedSpace} hint={ownerTexts.usedSpaceHint}>
        <span className="mono">{spaceOf(used.data)}</span>
      </SettingLine>
      <SettingLine title={ownerTexts.savedCopy} hint={ownerTexts.dropCopyHint}>
        <Button tone="ghost" small icon="trash" onClick={() => void drop()}>
          {ownerTexts.dropCopy}
        </Button>
        <LineOutcome words={isDropped === undefined ? '' : words} isBad={isDropped === false} />
      </SettingLine>
    </>
  )
}

/** In megabytes; undefined while the browser is being asked, null where it does not say. */
function spaceOf(bytes: number | null | undefined): string {
  if (bytes === undefined) return ''
  if (bytes === null) return ownerTexts.unknownSpace
  const n = (bytes / 1_000_000).toLocaleString(locale, { maximumFractionDigits: 1 })
  return fill(ownerTexts.megabytes, { n })
}
