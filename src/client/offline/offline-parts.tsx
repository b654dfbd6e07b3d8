import { offlineTexts } from '#contract/texts/offline.ts'
import { Icon, Sprite } from '#client/ui/icon.tsx'
import { offlineSymbols } from '#client/ui/offline-symbols.ts'
import { useStore } from '#client/ui/store.ts'
import { ConnectionBand } from './connection-band.tsx'
import { install, installing, noInstall, showInstallOffer } from './install.ts'
import { InstallCard } from './install-card.tsx'
import { LateLogin, LateSetup } from './late-ways-in.tsx'
import { isReplaced } from './missing-parts.ts'
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

/** The ways in where their code did not come; a page that another version has replaced throws on, and is loaded anew. */
export async function waysInWithout(cause: unknown) {
  if (await isReplaced()) throw cause
  return { LoginScreen: LateLogin, SetupScreen: LateSetup }
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
