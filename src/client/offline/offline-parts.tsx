import { offlineTexts } from '#contract/texts/offline.ts'
import { connection } from '#client/browser/connection.ts'
import { Icon, Sprite } from '#client/ui/icon.tsx'
import { offlineSymbols } from '#client/ui/offline-symbols.ts'
import { useStore } from '#client/ui/store.ts'
import { ConnectionBand } from './connection-band.tsx'
import { install, installing, noInstall, showInstallOffer } from './install.ts'
import { InstallCard } from './install-card.tsx'
import { LateLogin } from './late-login.tsx'
import './offline.css'

/** What stands on a page because it may live without a connection; the card is laid over the page wherever it stands. */
export function OfflineParts() {
  return (
    <>
      <ConnectionBand />
      <InstallCard />
    </>
  )
}

/** The way in whose code did not come for want of the server; anything else that went wrong is thrown on. */
export function loginWithout(cause: unknown) {
  if (navigator.onLine && connection.get() === 'online') throw cause
  return { LoginScreen: LateLogin }
}

interface InstallLineProps {
  /** Takes the menu away that the line stands in. */
  readonly onChoose: () => void
}

/** The way to install that is always there: a line of a menu, or nothing where the site cannot be installed. */
export function InstallLine({ onChoose }: InstallLineProps) {
  const { way } = useStore(installing, noInstall)
  if (way === 'none') return null
  const choose = () => {
    onChoose()
    if (way === 'prompt') void install()
    else showInstallOffer(true)
  }
  return (
    <button type="button" onClick={choose}>
      <Sprite symbols={offlineSymbols} />
      <Icon name="download" />
      {offlineTexts.installApp}
    </button>
  )
}
